# Runs a Homebrew formula without Homebrew: its install and its test, in the current
# directory, with what Homebrew's class Formula gives to them.
#
#   ruby .ci/formula.rb FORMULA DIR
require "fileutils"
require "open3"
require "pathname"

module Utils
  def self.safe_popen_read(*command)
    out, status = Open3.capture2(*command.map(&:to_s))
    raise "#{command.join(" ")} fails" unless status.success?

    out
  end
end

# A file that is written with the directories above it.
class Pathname
  alias_method :write_only, :write
  def write(text)
    parent.mkpath
    write_only(text)
  end
end

class Formula
  class << self
    attr_reader :given, :tests

    %i[desc homepage url license head depends_on].each do |name|
      define_method(name) { |*values, **options| (@given ||= {})[name] = [values, options] }
    end
    define_method(:test) { |&block| @tests = block }
  end

  attr_reader :bin, :man1, :testpath

  def initialize(dir)
    @bin, @man1, @testpath = %w[bin man1 test].map { |name| Pathname(dir)/name }
  end

  def std_go_args(ldflags:) = ["-trimpath", "-o=#{bin}/lmclint", "-ldflags=#{ldflags.join(" ")}"]

  def system(*command) = Kernel.system(*command, exception: true)

  def generate_completions_from_executable(*command)
    %w[bash zsh fish].each { |shell| raise "no completion of #{shell}" if Utils.safe_popen_read(*command, shell).empty? }
  end

  def shell_output(command, want = 0)
    out, status = Open3.capture2(command, chdir: testpath)
    raise "#{command} exits with #{status.exitstatus}" unless status.exitstatus == want

    out
  end

  def assert_match(want, got)
    raise "#{want} is not in #{got}" unless got.include?(want)
  end
end

load ARGV[0]
%i[desc homepage url license].each { |name| raise "no #{name}" unless Lmclint.given[name] }
formula = Lmclint.new(ARGV[1])
formula.install
formula.instance_eval(&Lmclint.tests)
