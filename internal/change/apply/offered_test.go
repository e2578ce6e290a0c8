package apply_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lmclint/lmclint/internal/change/apply"
	"github.com/lmclint/lmclint/internal/dev/linttest"
	"github.com/lmclint/lmclint/lint"
	"github.com/lmclint/lmclint/rules"
)

// notMade are the cases in which check counts a finding as fixable and fix does not fix it, by
// the reason. A rule should not offer such a fix, but it does not see what these depend on.
var notMade = map[string][]string{
	"what is around the record is known to fix only": {
		"LMC005 lmc005_cut_in_type.log", "LMC005 lmc005_python_in_string.txt", "LMC102 lmc102_chunked_body.txt", "LMC201 lmc201_first_start_in_traffic.har",
		"LMC201 lmc201_google_logging.json", "LMC202 lmc202_curl_v.txt", "LMC202 lmc202_in_traffic.har", "LMC202 lmc202_list_behind_words.txt",
	},
	"a record after it prevents it": {
		"LMC001 lmc001_list_without_start.jsonl", "LMC001 lmc001_list_without_start_lines.jsonl",
		"LMC009 lmc009_pretty_list.txt", "LMC009 lmc012_log_lists.log", "LMC009 lmc104_log_lists.log", "LMC009 lmc104_printed_with_name.log",
		"LMC202 lmc202_confirmation_between_codes.jsonl", "LMC202 lmc202_interleaved_code.jsonl", "LMC202 lmc202_message_inside_console.jsonl", "LMC210 lmc210_sent_again_confirmed.jsonl",
		"LMC501 lmc501_stream_after_messages.jsonl", "LMC501 lmc503_orders.jsonl", "LMC107 lmc107_code_called_a_message.json",
	},
	"whether other content of the block follows is not known": {
		"LMC208 lmc208_code_is_empty.jsonl", "LMC208 lmc301_empty_output_only.jsonl", "LMC208 lmc404_images_in_chunks.jsonl",
	},
	"what the record then is does not fit what is before it": {
		"LMC101 lmc101_console.json", "LMC101 lmc206_start_of_another_role_and_type.jsonl", "LMC104 lmc104_code_before_output.jsonl",
		"LMC105 lmc105_confirmation_in_a_block.jsonl", "LMC105 lmc105_message_called_a_console.json",
		"LMC201 lmc201_last_chunk_behind_end.jsonl", "LMC201 lmc201_output_behind_last_message.jsonl",
	},
	"which flag of two like blocks is in the wrong place is not known": {
		"LMC201 lmc112_empty_end.jsonl", "LMC201 lmc201_only_chunk_behind_end.jsonl", "LMC201 lmc201_with_a_format.jsonl",
		"LMC202 lmc202_confirmed_and_run_inside.jsonl", "LMC204 lmc204_first_block_swapped.jsonl",
	},
	"the image is broken as well": {
		"LMC104 lmc102_words.jsonl", "LMC106 lmc102_words.jsonl", "LMC106 lmc106_image_png.json", "LMC403 lmc402_images_of_all_kinds.json",
	},
}

// What check counts as fixable is what fix then does, in all bad cases of the suite but for
// these.
func TestOfferedFixesAreMade(t *testing.T) {
	paths, err := filepath.Glob("../../../testdata/*/bad/*")
	require.NoError(t, err)
	config := lint.WithConfig(lint.Config{AllowEmpty: true})
	fixing, checking := linttest.MustNew(rules.All(), config, lint.WithFixes()), linttest.MustNew(rules.All(), config, lint.WithEach())
	refused := map[string]string{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		_, content, err := apply.Read(bytes.NewReader(raw))
		if err != nil || strings.HasSuffix(path, ".expect.json") {
			continue // an archive, or text that is not UTF-8
		}
		var offered []string
		for f, err := range checking.Lint(t.Context(), path, bytes.NewReader(content.Text)) {
			if err == nil && f.Fix != nil {
				offered = append(offered, f.Rule.ID+" "+filepath.Base(path))
			}
		}
		if offered == nil {
			continue
		}
		r, err := apply.Text(t.Context(), apply.Linters{Fixing: fixing}, path, content.Text, true)
		if err != nil {
			refused[offered[0]] = err.Error()
			continue
		}
		for i := range r.Left {
			if f := &r.Left[i]; f.Fix != nil {
				refused[f.Rule.ID+" "+filepath.Base(path)] = fmt.Sprintf("%s: %s", f.Message, r.Why[f.Fix])
			}
		}
	}
	for reason, cases := range notMade {
		for _, name := range cases {
			assert.Contains(t, refused, name, "fix does it, although %s", reason)
			delete(refused, name)
		}
	}
	assert.Empty(t, refused, "check offers fixes that fix does not make")
}
