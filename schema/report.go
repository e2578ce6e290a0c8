package schema

import _ "embed"

//go:embed report.schema.json
var report string

// Report returns the schema of the report that --format json writes, as it is
// published.
func Report() []byte { return []byte(report) }
