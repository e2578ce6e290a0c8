package rules

// Images of one pixel and a sound without any sample, as base64.
const (
	onePNG   = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAADklEQVR42mJiAAQAAP//AAYAA+e4F9gAAAAASUVORK5CYII=`
	oneJPEG  = `/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z`
	emptyWAV = `UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==`
	emptyMP3 = `SUQzBAAAAAAAAP/7kGQAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`
)

// imageMessage is a list of one message with an image.
func imageMessage(format, content string) string {
	return `[{"role": "user", "type": "image", "format": "` + format + `", "content": "` + content + `"}]` + "\n"
}

// imageBlock is a block of one image in chunks, as a program's plots are streamed.
func imageBlock(contents ...string) string {
	const head = `{"role": "computer", "type": "image", "format": "base64.png", `
	block := head + `"start": true}` + "\n"
	for _, content := range contents {
		block += head + `"content": "` + content + `"}` + "\n"
	}
	return block + head + `"end": true}` + "\n"
}
