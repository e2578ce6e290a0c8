package example

// Images of one pixel and a sound without any sample, as base64.
const (
	OnePNG   = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII=`
	OneJPEG  = `/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z`
	EmptyWAV = `UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==`
	EmptyMP3 = `SUQzBAAAAAAAAP/7kGQAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`
)

// ImageMessage returns a list of one message with an image.
func ImageMessage(format, content string) string {
	return `[{"role": "user", "type": "image", "format": "` + format + `", "content": "` + content + `"}]` + "\n"
}

// ImageBlock returns the block of an image in chunks, as a plot is streamed.
func ImageBlock(format string, contents ...string) string {
	head := `{"role": "computer", "type": "image", "format": "base64.` + format + `", `
	block := head + `"start": true}` + "\n"
	for _, content := range contents {
		block += head + `"content": "` + content + `"}` + "\n"
	}
	return block + head + `"end": true}` + "\n"
}
