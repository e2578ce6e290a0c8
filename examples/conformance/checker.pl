#!/usr/bin/env perl
# A checker of LMC in Perl, written from docs/protocol.md and docs/conformance.md alone:
# reads a transcript or a stream in JSON or JSON Lines, and reports what violates a MUST.
#
#     lmclint suite run --checker 'perl checker.pl'
use strict;
use warnings;
use utf8;

# A node of JSON is {t => type, v => value, dup, sur}: t is o, a, s, n, b or z (null).
my ($text, $lone);

sub value {
    $text =~ /\G[ \t\r\n]+/gc;
    if ($text =~ /\G\{/gc) {
        my $n = {t => 'o', v => {}, keys => []};
        $text =~ /\G[ \t\r\n]+/gc;
        return $n if $text =~ /\G\}/gc;
        while (1) {
            $text =~ /\G[ \t\r\n]+/gc;
            my $k = str() // return;
            $text =~ /\G[ \t\r\n]*:/gc or return;
            my $v = value() // return;
            $n->{dup} = 1 if exists $n->{v}{$k->{v}} || $v->{dup};
            $n->{twice}{$k->{v}} = 1 if exists $n->{v}{$k->{v}};
            push @{$n->{keys}}, $k->{v};
            $n->{v}{$k->{v}} = $v;
            $text =~ /\G[ \t\r\n]+/gc;
            next if $text =~ /\G,/gc;
            return $text =~ /\G\}/gc ? $n : undef;
        }
    }
    if ($text =~ /\G\[/gc) {
        my $n = {t => 'a', v => []};
        $text =~ /\G[ \t\r\n]+/gc;
        return $n if $text =~ /\G\]/gc;
        while (1) {
            my $v = value() // return;
            push @{$n->{v}}, $v;
            $n->{dup} ||= $v->{dup};
            $text =~ /\G[ \t\r\n]+/gc;
            next if $text =~ /\G,/gc;
            return $text =~ /\G\]/gc ? $n : undef;
        }
    }
    return str() if $text =~ /\G(?=")/;
    return {t => 'n', v => $1} if $text =~ /\G(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.+-])/gc;
    return {t => 'b', v => $1} if $text =~ /\G(true|false)\b/gc;
    return {t => 'z'} if $text =~ /\Gnull\b/gc;
    return;
}

sub str {
    $text =~ /\G"((?:[^"\\\x00-\x1f]|\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4}))*)"/gc or return;
    my $s = $1;
    my %named = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t");
    $s =~ s{\\u([dD][89abAB]..)\\u([dD][c-fC-F]..)|\\(?:u(....)|(.))}{
        if (defined $1) { chr(0x10000 + ((hex($1) - 0xD800) << 10) + hex($2) - 0xDC00) }
        elsif (defined $3) { my $c = hex $3; $lone = 1 if $c >= 0xD800 && $c < 0xE000; $c >= 0xD800 && $c < 0xE000 ? '?' : chr $c }
        else { $named{$4} // $4 }}ge;
    return {t => 's', v => $s};
}

# What was found: {requirement, record, conversation}.
my (@found, %told, $conversation);

sub report {
    my ($r, $requirement, $severity) = @_;
    return if $told{"$conversation $r->{i} $requirement"}++;
    push @found, sprintf '{"requirement": "LMC-%s", "record": %d, "conversation": %d%s}', $requirement, $r->{i}, $conversation, $severity ? ", \"severity\": \"$severity\"" : '';
}

# The input as lists of records; a record is {n => node} or {bad => requirement}.
sub is_record { my $n = shift; $n->{t} eq 'o' && grep { exists $n->{v}{$_} } qw(role type content start end) }
sub record_of {
    my $n = shift;
    return {n => $n, lone => delete $n->{lone}};
}

sub list_in {    # the list in an envelope, or the list itself
    my $n = shift;
    return ('list', $n->{v}) if $n->{t} eq 'a';
    return if $n->{t} ne 'o' || is_record($n);
    for my $k (qw(chunks messages)) {
        return ($k, $n->{v}{$k}{v}) if $n->{v}{$k} && $n->{v}{$k}{t} eq 'a';
    }
    return;
}

sub wrapped {    # the record in an object around it
    my $n = shift;
    return if $n->{t} ne 'o' || is_record($n);
    my @in = grep { $_->{t} eq 'o' && is_record($_) && ($_->{v}{role} || $_->{v}{type}) } map { $n->{v}{$_} } @{$n->{keys}};
    return @in == 1 ? $in[0] : undef;
}

sub read_input {
    local $/;
    binmode STDIN;
    $text = <STDIN> // '';
    utf8::decode($text);
    $text =~ s/^\x{FEFF}//;
    pos($text) = 0;
    my (@records, @lists, $wraps);
    while (1) {
        $text =~ /\G[ \t\r\n]+/gc;
        my $begin = pos($text) // 0;
        last if $begin >= length $text;
        $lone = 0;
        my $n = value();
        my $bad = !$n || substr($text, pos $text, 200) !~ /^[ \t\r]*(?:\n|\z|\{|\[)/;
        if ($bad) {
            pos($text) = $begin;
            my $rest = substr $text, $begin;
            my $is_cut = $rest !~ /\n\s*\S/ && $rest =~ /^\s*[\[{]/ && cut($rest);
            push @records, {bad => $is_cut ? 'INP-2' : 'INP-1'};
            $text =~ /\G[^\n]*\n?/gc;
            next;
        }
        $n->{lone} = $lone;
        my ($key, $list) = list_in($n);
        if ($list && !@records) {
            push @lists, [$key, map { record_of($_) } @$list];
            $lists[-1][1]{lone} = 1 if $lone && @{$lists[-1]} > 1;
            next;
        }
        my $inner = wrapped($n);
        if ($inner && ($wraps || @records < 8 && !grep { $_->{n} && is_record($_->{n}) } @records)) {
            $wraps = 1;
            $inner->{lone} = $lone;
            $n = $inner;
        }
        push @records, record_of($n);
    }
    return (\@records, \@lists);
}

# cut reports whether a text ends inside its value.
sub cut {
    my $t = shift;
    my $depth = 0;
    while ($t =~ /("(?:[^"\\]|\\.)*"?)|([\[{])|([\]}])/gs) {
        if (defined $1) { return 1 if $1 !~ /^".*"\z/s || $1 eq '"' }
        else { $depth += defined $2 ? 1 : -1 }
    }
    return $depth > 0;
}

# Vocabulary.
my %formats = (
    console => [qw(output active_line)], image => [qw(base64 base64.png base64.jpeg path description)],
    audio => [qw(wav bytes.wav bytes.raw)], confirmation => ['execution'], review => [qw(safe warning unsafe)], code => undef, file => ['path'],
);
my %types = map { $_ => 1 } keys %formats, qw(message command status error completion);
my %without_block = map { $_ => 1 } qw(confirmation status error completion);

sub text_of { my ($r, $k) = @_; my $n = $r->{$k}; return $n && $n->{t} eq 's' ? $n->{v} : undef }

# shape checks one record, and sets its role, type, format, event.
sub shape {
    my ($r, $in_transcript) = @_;
    if ($r->{bad}) { report($r, $r->{bad}); $r->{unclear} = 1; return }
    my $n = $r->{n};
    if ($n->{t} ne 'o') { report($r, 'INP-5'); $r->{unclear} = 1; return }
    report($r, 'INP-6') if $r->{lone};
    my $own = grep { $n->{v}{$_} } qw(type content start end);
    if (!$own && grep { $n->{v}{$_} } qw(start_of_message end_of_message start_of_code end_of_code executing language code output active_line message)) {
        report($r, 'REC-14');
        $r->{old} = 1;
        return;
    }
    if (!$own && !$n->{v}{role} && ($n->{v}{auth} || $n->{v}{ack})) { report($r, 'TRN-2') if $in_transcript; return }
    if ($n->{dup}) { report($r, 'INP-4'); $r->{unclear} = 1; }
    my %twice = %{$n->{twice} // {}};
    my %v = map { $_ => $n->{v}{$_} } grep { $n->{v}{$_}{t} ne 'z' || $_ eq 'content' } keys %{$n->{v}};
    $r->{content} = $v{content};
    my ($role, $type, $format) = map { text_of(\%v, $_) } qw(role type format);
    $r->{role} = $role if defined $role && $role =~ /^(?:user|assistant|computer|system|server)\z/;
    my $takes_format = defined $type && exists $formats{$type};
    if (grep { exists $n->{v}{$_} && $n->{v}{$_}{t} eq 'z' && !($_ eq 'content' && !grep { $v{$_} } qw(start end stop)) && !($_ eq 'format' && $takes_format) && !/^(?:role|type)\z/ } keys %{$n->{v}}) {
        report($r, 'REC-15');
    }
    for my $k (qw(start end)) {    # beside content, false changes nothing
        next unless $v{$k} && $v{content} && $v{$k}{t} eq 'b' && $v{$k}{v} eq 'false' && ($type // '') ne 'confirmation';
        report($r, $in_transcript ? 'TRN-1' : 'REC-7');
        delete $v{$k};
    }
    my $has_flag = exists $v{start} || exists $v{end} || exists $v{stop};
    delete $v{content} if $has_flag && $v{content} && $v{content}{t} eq 'z';
    my $has_content = exists $v{content};
    if ($in_transcript && $has_flag && !$n->{dup}) { report($r, 'TRN-1'); $r->{event} = 'flag'; $r->{type} = $type if defined $type && $types{$type}; return }
    my $unknown_type = exists $v{type} && !(defined $type && $types{$type}) && !$twice{type};
    my $words = qr/^(?:start|end|stop)\z/;
    my $flag_word = grep { defined && /$words/ } $role, $type, $format;
    if (!exists $v{role}) { report($r, 'REC-1') unless $twice{role} || $unknown_type && !$has_content && !$has_flag }
    elsif (!$twice{role} && (!$r->{role} || $role eq 'server' && !(defined $type && $type =~ /^(?:status|error|completion)\z/))) { report($r, 'VOC-1'); delete $r->{role} }
    if (!exists $v{type}) { report($r, 'REC-2') if exists $v{role} && !$twice{type} }
    elsif ($unknown_type) { report($r, 'VOC-2') }
    else { $r->{type} = $type }
    $type = $r->{type};
    my $ephemeral = $in_transcript && $type && ($type =~ /^(?:confirmation|review|command|status|error|completion)\z/ || $type eq 'console' && ($format // '') eq 'active_line');
    if ($ephemeral) { report($r, 'TRN-2'); return }
    my $takes = $type && exists $formats{$type};
    my $console_flag = $type && $type eq 'console' && $has_flag && !$has_content;
    my $several = (grep { exists $v{$_} } qw(start end content)) > 1;
    if ($takes && !$twice{format}) {
        my $allowed = $formats{$type};
        if (!exists $v{format} || defined $format && $format eq '') {
            report($r, 'REC-3') unless $console_flag && !exists $v{format} || $type eq 'file' || $several;
        } elsif (!defined $format || $allowed && !grep { $_ eq $format } @$allowed) {
            report($r, 'VOC-3');
        } else {
            $r->{format} = $format;
            report($r, 'STR-9') if $console_flag;
        }
    } elsif ($type && exists $v{format} && !$twice{format}) { report($r, 'REC-4') }
    my $neither = exists $v{role} || exists $v{type};
    if (exists $v{stop} && !exists $v{end}) { report($r, 'REC-8') }
    elsif ($several) { report($r, 'REC-5') if 2 <= grep { exists $v{$_} && ($_ eq 'content' || $v{$_}{t} eq 'b' && $v{$_}{v} eq 'true') } qw(start end content) }
    elsif (!$has_flag && !$has_content) {
        report($r, 'REC-5') if $neither && !$unknown_type && !$flag_word && !grep { $twice{$_} } qw(start end content);
        $r->{unclear} = 1;
    } elsif ($type && $without_block{$type} && $has_flag) { report($r, 'REC-5') }
    for (qw(start end stop)) {
        report($r, 'REC-7') if exists $v{$_} && !$twice{$_} && !($v{$_}{t} eq 'b' && $v{$_}{v} eq 'true');
    }
    delete $v{content}, $has_content = 0 if $has_content && $v{end} && ($v{content}{v} // 'x') eq '';
    $r->{event} = exists $v{start} && exists $v{end} ? 'both' : exists $v{start} ? 'start' : $has_content && (exists $v{end} || exists $v{stop}) ? 'last' : $has_flag ? 'end' : $has_content ? 'content' : '';
    if (exists $v{recipient} && !$twice{recipient}) {
        if (($v{recipient}{v} // '') !~ /^(?:user|assistant)\z/) { report($r, 'REC-10') }
        elsif ($has_flag && !$has_content) { report($r, 'REC-11') }
    }
    $r->{unclear} = 1 if $unknown_type;
    content($r, $v{content}, $type, $in_transcript) if $has_content && (exists $formats{$type} || !exists $v{format}) && $type && !$twice{content};
}

my $named = $ENV{LMC_DIALECT};    # what the documentation prints is a warning, unless a dialect is given

sub content {
    my ($r, $c, $type, $in_transcript) = @_;
    my $format = $r->{format};
    return if $formats{$type} && !$format && $type ne 'file';
    if ($type eq 'confirmation') {
        my $o = $c->{t} eq 'o' ? $c->{v} : {};
        my $documented = $o->{language} && $o->{code};
        my $is = $o->{type} && ($o->{type}{v} // '') eq 'code' && $o->{format} && $o->{format}{t} eq 's' && $o->{content} && $o->{content}{t} eq 's' && keys %$o == 3;
        report($r, 'VOC-7', $documented && !$named && keys %$o == 3 ? 'warning' : '') unless $is;
        $r->{confirmed} = [$o->{content}{v}, $o->{format}{v}] if $is;
        $r->{confirmed} = [$o->{code}{v}, $o->{language}{v}] if $documented && !$is;
        return;
    }
    if ($type eq 'console' && $format eq 'active_line') {
        my $ok = $c->{t} eq 'z' || $c->{t} eq 'n' && $c->{v} =~ /^-?[0-9]+(?:\.0+)?\z/ || !$named && $c->{t} eq 's' && $c->{v} =~ /^[0-9]+\z/;
        report($r, 'EXE-8') unless $ok;
        return;
    }
    if ($c->{t} ne 's') { report($r, 'REC-6'); return }
    my $s = $c->{v};
    if ($type eq 'image' && $format =~ /^base64/) { image($r, $s, $format) if $in_transcript || !$r->{block}; }
    elsif ($type eq 'file' || $type eq 'image' && $format eq 'path') {
        if ($s =~ /^\s*\z/) { report($r, 'CNT-6') }
        elsif ($type eq 'image' && $s =~ m{^\s*(?:(?i:data:)|(?:iVBORw0KGgo|/9j/|R0lGOD)[A-Za-z0-9+/]*=*\s*\z)}) { report($r, 'CNT-7') }
        elsif ($type eq 'image' && length $s >= 64 && length($s) % 4 == 0 && $s =~ /[=+]/ && $s =~ m{^[A-Za-z0-9+/]+=*\z}) { report($r, 'CNT-7') }
    }
}

sub image {
    my ($r, $s, $format) = @_;
    $s =~ s/\n\z//;
    my $is_base64 = $s =~ m{^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\z} && $s ne '';
    $s =~ s{^([A-Za-z0-9+/]*=*).*\z}{$1}s unless $is_base64;
    require MIME::Base64;
    my $data = MIME::Base64::decode_base64($s);
    my $kind = $data =~ /^\x89PNG\r\n\x1a\n/ ? 'png' : $data =~ /^\xff\xd8\xff/ ? 'jpeg' : '';
    my $is_jpeg = $kind eq 'jpeg' && $data =~ /\xff\xd9/;
    if (!$is_base64 && !($kind eq 'png' && $data =~ /IEND\xaeB`\x82/ || $is_jpeg)) { report($r, 'CNT-1'); return }
    if ($kind ne ($format eq 'base64.jpeg' ? 'jpeg' : 'png')) { report($r, 'CNT-2'); return }
    if ($kind eq 'png') {
        my $at = 8;
        while ($at + 12 <= length $data) {
            my ($size, $name) = unpack 'Na4', substr $data, $at, 8;
            $at += 12 + $size;
            last if $at > length $data;
            if ($name eq 'IEND') { report($r, 'CNT-3') if $at < length $data || !$is_base64; return }
        }
        report($r, 'CNT-3') unless $r->{last};
    } elsif ($data !~ /\xff\xd9\z/) { report($r, 'CNT-3') }
}

# Transcripts.
sub transcript {
    my @records = @_;
    my $after = '';
    for my $r (@records) {
        my $before = @found;
        shape($r, 1);
        my $type = $r->{type} // '';
        report($r, 'TRN-6') if ($r->{role} // '') eq 'system';
        report($r, 'TRN-7') if $named && $type eq 'audio';
        my $is_cut = @records == 2 && ($records[1]{bad} // '') eq 'INP-2';
        my $is_output = $type eq 'console' && ($r->{format} // '') ne 'active_line' && $before == @found;
        report($r, 'TRN-3') if $is_output && $after !~ /^(?:code|error|output)\z/ && @records > 1 && !$is_cut;
        next if $is_output && $after eq 'code' || $type eq 'image' && $after eq 'code' && $before == @found;
        $after = $is_output ? 'output' : $before < @found ? 'error' : $type;
    }
}

# Streams.
sub inner {    # the text of a string in JSON
    my ($outer, $at) = ($text, pos $text);
    $text = shift;
    pos($text) = 0;
    my $s = str();
    $text = $outer;
    pos($text) = $at;
    return $s && $s->{v};
}

sub same { my ($a, $b) = @_; return !defined $a || !defined $b || $a eq $b }
sub fits {
    my ($b, $r) = @_;
    return same($b->{role}, $r->{role}) && same($b->{type}, $r->{type}) && (($b->{type} // $r->{type} // '') eq 'console' || same($b->{format}, $r->{format}));
}

sub language { my $f = lc(shift // ''); $f =~ s/^\s+|\s+\z//g; return $f }

sub stream {
    my @records = @_;
    for my $i (0 .. $#records) {    # pieces of an image are not checked
        my ($before, $r, $next) = map { $_ >= 0 && $records[$_] ? peek($records[$_]) : {} } $i - 1 .. $i + 1;
        $records[$i]{block} = grep { ($_->{type} // '') eq 'image' && exists $_->{content} && !$_->{start} } $before, $next;
        $records[$i]{last} = $i == $#records || $i == $#records - 1 && $records[-1]{bad};
        shape($records[$i], 0);
    }
    my ($open, $closed, $stray, $unclear, $code, $running, $cut);
    my $framing = sub { my ($r, $what) = @_; if ($unclear) { undef $unclear } else { report($r, $what) } };
    my $close = sub {    # by what follows, not by its end flag
        my ($r) = @_;
        $framing->($r, 'STR-2') unless $open->{again} && !$open->{contents};
        $open->{lost} = $open->{resync} = 1;
        ($closed, $open) = ($open, undef);
    };
    my $executes = sub {
        my ($i) = @_;
        my ($r, $next) = @records[$i, $i + 1];
        my @in;
        for my $k ($i + 1 .. $#records) { last if ($records[$k]{event} // '') ne 'content'; push @in, $records[$k] }
        return if $r->{event} eq 'start' && !@in;    # nothing ran
        return if $running || !$code || $ENV{LMC_AUTO_RUN} || language($code->{format}) =~ /^(?:text|markdown|plaintext)\z/;
        my $said = @in == 1 ? $in[0]{content}{v} // '' : '';
        my $named = language($code->{format});
        return if $said =~ /^\s*`\Q$named\E` disabled or not supported\.\s*\z/ || $said =~ /^\s*Code block was empty\./ && $code->{text} =~ /^\s*\z/;
        if (!$code->{confirmed}) { $framing->($r, 'EXE-1'); $code->{late} = 1 }
        $running = 1;
        $code->{ran} = 1;
        $code->{confirmed} = 0;
    };
    for my $i (0 .. $#records) {
        my $r = $records[$i];
        my ($type, $event) = ($r->{type} // '', $r->{event} // '');
        if ($r->{unclear}) {
            $unclear = 1;
            $open->{lost} = 1 if $open;
            next unless $event eq 'start' || $event eq 'end';
        }
        if ($type eq '' && $r->{content} && $r->{content}{t} eq 'o' && $r->{content}{v}{type} && $r->{content}{v}{content}) { $type = 'confirmation' }
        my $in_block = $type eq 'confirmation' && $open && ($open->{type} // '') ne 'code' && !$r->{format} && $r->{content} && $r->{content}{t} eq 's';
        next if $in_block;
        if ($without_block{$type}) {
            my $late = $type eq 'confirmation' && $open && ($open->{type} // '') eq 'console' && $code && $code->{late};
            $close->($r) if $open && !$late;
            undef $stray unless $late;
            next if $type ne 'confirmation' || $unclear && !$code;
            my ($content, $language) = @{$r->{confirmed} // []};
            my $wrapped = $code && $code->{text} =~ /^\s*\{.*"code"\s*:\s*("(?:[^"\\]|\\.)*")/s ? inner($1) : undef;
            my $is_same = $code && (!defined $content || ($code->{text} eq $content || defined $wrapped && $wrapped eq $content) && (!defined $code->{format} || language($code->{format}) eq language($language)));
            if (!$code || $code->{ran} && !$code->{late} && !$is_same) { report($r, 'EXE-3') unless $unclear }
            elsif (!$is_same && !$code->{lost}) { report($r, 'EXE-5') }
            if ($code && !$late) { $code->{late} ? ($code->{late} = 0) : ($code->{confirmed} = 1); $running = 0 unless $code->{ran} && !$is_same }
            next;
        }
        if ($event eq 'start') {
            my $again = $open && fits($open, $r) && $open->{contents};
            $close->($r) if $open;
            undef $stray;
            $open = {role => $r->{role}, type => $r->{type}, format => $r->{format}, contents => 0, again => $again, text => '', lost => 0};
            if ($type eq 'code' && ($r->{role} // '') ne 'computer') { $code = $open; $running = 0 }
            elsif (($r->{role} // '') eq 'computer' && $type =~ /^(?:console|image)\z/) { $executes->($i) }
            elsif (($r->{role} // '') ne 'computer' && $type ne 'review') { $running = 0 }
            $open->{text} = text_of($r, 'content') // '' if $r->{content};
            $open->{contents}++ if $r->{content};
            next;
        }
        if ($event eq 'content' || $event eq 'last') {
            if (!$open && $closed && $closed->{provisional} && fits($closed, $r)) { $open = $closed }
            if (!$open) {
                next if $stray && fits($stray, $r) || $closed && $closed->{resync} && fits($closed, $r);
                $framing->($r, 'STR-1') if $r->{role} && $type;
                $stray = {%$r};
                if ($type eq 'code') { $code = {format => $r->{format}, text => '', lost => 1}; $running = 0 }
                next;
            }
            if (!fits($open, $r)) {
                next if $closed && $closed->{resync} && fits($closed, $r);
                next if $open->{other} && fits($open->{other}, $r);
                $framing->($r, 'STR-6');
                $open->{other} = {%$r};
                $open->{lost} = 1;
            } else {
                undef $open->{other};
                $open->{$_} //= $r->{$_} for qw(role type);
                $open->{format} //= $r->{format} unless $type eq 'console';
                $code = $open, $running = 0 if !$open->{contents} && ($open->{type} // '') eq 'code' && ($open->{role} // '') ne 'computer';
                if ($type eq 'image' && $open->{contents}) { report($r, 'CNT-4') unless $open->{split}++ }
                $open->{text} .= text_of($r, 'content') // '';
                $open->{contents}++;
            }
            if ($event eq 'last') { $open->{provisional} = 1; ($closed, $open) = ($open, undef) }
            next;
        }
        next if $event ne 'end';
        if (!$open) {
            if ($stray && fits($stray, $r)) { undef $stray; next }
            if ($closed && fits($closed, $r) && ($closed->{lost} || $closed->{provisional})) { undef $closed; next }
            $framing->($r, 'STR-4');
            $stray = {%$r};
            next;
        }
        next if !fits($open, $r) && $closed && $closed->{resync} && fits($closed, $r);
        if (!fits($open, $r) && !($open->{other} && fits($open->{other}, $r))) {
            $framing->($r, 'STR-5');
            $open->{lost} = 1;
            ($closed, $open) = ($open, undef);
            next;
        }
        ($closed, $open) = (undef, undef);
        undef $stray;
    }
    if ($open && @records && !($open->{again} && !$open->{contents}) && !($records[-1]{bad} && $records[-1]{bad} eq 'INP-2')) { $framing->($records[-1], 'STR-3') }
}

# Detection.
sub peek { my $n = shift->{n}; return $n && $n->{t} eq 'o' ? {map { $_ => $n->{v}{$_}{t} eq 's' ? $n->{v}{$_}{v} : $n->{v}{$_} } grep { $n->{v}{$_}{t} ne 'z' || $_ eq 'content' } keys %{$n->{v}}} : {} }

sub is_stream {
    my ($key, @records) = @_;
    return $ENV{LMC_KIND} eq 'stream' if $ENV{LMC_KIND};
    return 1 if $key eq 'chunks';
    my @p = map { peek($_) } @records > 64 ? @records[0 .. 63] : @records;
    my $starts = sub { my ($p, $q) = @_; $p->{start} && $q && ($q->{role} // '') eq ($p->{role} // '') && ($q->{type} // '') eq ($p->{type} // '') && (exists $q->{content} || exists $q->{end}) };
    my $is_flag = sub { my $p = shift; (exists $p->{start} || exists $p->{end} || exists $p->{stop}) && !exists $p->{content} };
    if ($key ne '') {
        return 1 if $starts->(@p[0, 1]);
        my @flags = grep { $is_flag->($_) } @p > 16 ? @p[0 .. 15] : @p;
        return @p && ($p[0]{role} // '') ne 'user' && @flags >= 4;
    }
    my (%roles, $messages, $continues, @words);
    for my $i (0 .. ($#p < 15 ? $#p : 15)) {
        my ($p, $q) = @p[$i, $i + 1];
        my $type = $p->{type} // '';
        return 1 if $starts->($p, $q) && !$messages;
        return !$messages if ($p->{format} // '') eq 'active_line' && $type eq 'console' && @p > 1;
        return 1 if !$messages && $without_block{$type};
        return !($roles{user} || keys %roles > 1) if $is_flag->($p) || $without_block{$type};
        next if !defined $p->{role} && !defined $p->{type};
        $roles{ref $p->{role} ? '' : $p->{role} // ''}++;
        next if ($p->{role} // '') eq 'user';
        $messages++;
        my $before = $i ? $p[$i - 1] : {};
        if ($type =~ /^(?:message|code)\z/ && !grep { ($p->{$_} // '') ne ($before->{$_} // '') } qw(role type format)) {
            my ($a, $b) = map { ref $_ || !defined $_ ? '' : $_ } $before->{content}, $p->{content};
            my $ended = $a =~ /[.!?:]["')\]]*\s*\z/;
            $continues++ if !$ended && ($b =~ /^[[:punct:] ]/ || $a =~ / \z/);
            my $word = qr/^(?:[A-Za-z]+|[0-9]+)[[:punct:]]?\z/;
            @words = ($a) unless @words;
            @words = $b =~ $word ? (@words, $b) : ();
        } else { @words = () }
        return 1 if ($continues // 0) >= 2 || @words >= 4 && 2 <= grep { !/^[A-Z]/ } @words;
    }
    return 0;
}

my ($records, $lists) = read_input();
push @$lists, ['', @$records] if @$records || !@$lists;
$conversation = 0;
for my $list (@$lists) {
    my ($key, @in) = @$list;
    $in[$_]{i} = $_ for 0 .. $#in;
    if (!@in && $key eq '' && !$ENV{LMC_ALLOW_EMPTY}) { report({i => 0}, 'INP-7') }
    is_stream($key, @in) ? stream(@in) : transcript(@in);
    $conversation++;
}
print '{"findings": [', join(', ', @found), "]}\n";
