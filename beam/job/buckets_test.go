package job

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// buckets are the objects of a store, by BUCKET/NAME. s3 and gs are servers of
// them, for what the clients of Beam ask. An object with "gone" in its name is
// listed, and is not there.
type buckets struct {
	mu      sync.Mutex
	objects map[string][]byte
	parts   map[string]map[int][]byte // of uploads that are not complete
}

func newBuckets() *buckets {
	return &buckets{objects: map[string][]byte{}, parts: map[string]map[int][]byte{}}
}

// names returns the names of all objects.
func (b *buckets) names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.objects))
}

func (b *buckets) put(name string, text []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.objects[name] = text
}

func (b *buckets) get(name string) (text []byte, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text, ok = b.objects[name]
	return text, ok && !strings.Contains(name, "gone")
}

func (b *buckets) remove(w http.ResponseWriter, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.objects, name)
	w.WriteHeader(http.StatusNoContent)
}

// addPart adds a part of an upload, and end makes an object of the parts.
func (b *buckets) addPart(name string, number int, text []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.parts[name] == nil {
		b.parts[name] = map[int][]byte{}
	}
	b.parts[name][number] = text
}

func (b *buckets) end(name string) (text []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, number := range slices.Sorted(maps.Keys(b.parts[name])) {
		text = append(text, b.parts[name][number]...)
	}
	b.objects[name] = text
	delete(b.parts, name)
	return text
}

// page returns three names in a bucket after a name, and the last of them if
// more follow.
func (b *buckets) page(bucket, prefix, after string) (names []string, last string) {
	for _, name := range b.names() {
		name, ok := strings.CutPrefix(name, bucket+"/")
		if !ok || !strings.HasPrefix(name, prefix) || name <= after {
			continue
		}
		if len(names) == 3 {
			return names, names[2]
		}
		names = append(names, name)
	}
	return names, ""
}

// serve sends an object, or a range of it.
func (b *buckets) serve(w http.ResponseWriter, r *http.Request, name string) {
	text, ok := b.get(name)
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>")
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(text)))
}

// s3 is a server of Amazon S3, with the bucket in the path.
func (b *buckets) s3() http.Handler {
	mux := http.NewServeMux()
	name := func(r *http.Request) string { return r.PathValue("bucket") + "/" + r.PathValue("key") }
	mux.HandleFunc("GET /{bucket}", func(w http.ResponseWriter, r *http.Request) {
		type contents struct {
			Key          string
			Size         int
			LastModified time.Time
			ETag         string
		}
		var list struct {
			XMLName               xml.Name `xml:"ListBucketResult"`
			IsTruncated           bool
			NextContinuationToken string
			Contents              []contents
		}
		names, last := b.page(r.PathValue("bucket"), r.FormValue("prefix"), r.FormValue("continuation-token"))
		list.IsTruncated, list.NextContinuationToken = last != "", last
		for _, name := range names {
			list.Contents = append(list.Contents, contents{Key: name})
		}
		_ = xml.NewEncoder(w).Encode(list)
	})
	mux.HandleFunc("GET /{bucket}/{key...}", func(w http.ResponseWriter, r *http.Request) { b.serve(w, r, name(r)) })
	mux.HandleFunc("DELETE /{bucket}/{key...}", func(w http.ResponseWriter, r *http.Request) {
		if !r.URL.Query().Has("uploadId") {
			b.remove(w, name(r))
		}
	})
	mux.HandleFunc("PUT /{bucket}/{key...}", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		part, _ := strconv.Atoi(r.URL.Query().Get("partNumber"))
		switch {
		case err != nil: // the client gave up
		case part > 0:
			w.Header().Set("ETag", strconv.Itoa(part))
			b.addPart(name(r), part, text)
		default:
			b.put(name(r), text)
		}
	})
	mux.HandleFunc("POST /{bucket}/{key...}", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("uploads") {
			_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>")
			return
		}
		b.end(name(r))
		_, _ = io.WriteString(w, "<CompleteMultipartUploadResult/>")
	})
	return mux
}

// gs is a server of Google Cloud Storage.
func (b *buckets) gs() http.Handler {
	mux := http.NewServeMux()
	name := func(r *http.Request) string { return r.PathValue("bucket") + "/" + r.PathValue("name") }
	object := func(name string, text []byte) map[string]string {
		bucket, name, _ := strings.Cut(name, "/")
		return map[string]string{"bucket": bucket, "name": name, "size": strconv.Itoa(len(text))}
	}
	mux.HandleFunc("GET /storage/v1/b/{bucket}/o", func(w http.ResponseWriter, r *http.Request) {
		names, last := b.page(r.PathValue("bucket"), r.FormValue("prefix"), r.FormValue("pageToken"))
		items := []map[string]string{}
		for _, name := range names {
			items = append(items, object(r.PathValue("bucket")+"/"+name, nil))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"items": items, "nextPageToken": last})
	})
	mux.HandleFunc("GET /storage/v1/b/{bucket}/o/{name...}", func(w http.ResponseWriter, r *http.Request) {
		text, ok := b.get(name(r))
		if !ok {
			http.NotFound(w, r)
			return
		}
		_ = json.NewEncoder(w).Encode(object(name(r), text))
	})
	mux.HandleFunc("DELETE /storage/v1/b/{bucket}/o/{name...}", func(w http.ResponseWriter, r *http.Request) { b.remove(w, name(r)) })
	mux.HandleFunc("GET /{bucket}/{name...}", func(w http.ResponseWriter, r *http.Request) { b.serve(w, r, name(r)) })

	// An object is uploaded in one request, of its description and its bytes; or
	// its description in one and its bytes in several.
	mux.HandleFunc("POST /upload/storage/v1/b/{bucket}/o", func(w http.ResponseWriter, r *http.Request) {
		var described struct{ Name string }
		if r.URL.Query().Get("uploadType") == "resumable" {
			_ = json.NewDecoder(r.Body).Decode(&described)
			w.Header().Set("Location", "http://"+r.Host+"/part/"+r.PathValue("bucket")+"/"+described.Name)
			return
		}
		_, options, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		both := multipart.NewReader(r.Body, options["boundary"])
		description, err := both.NextPart()
		if err != nil {
			return
		}
		_ = json.NewDecoder(description).Decode(&described)
		content, err := both.NextPart()
		if err != nil {
			return
		}
		text, err := io.ReadAll(content)
		if err != nil {
			return // the client gave up
		}
		b.put(r.PathValue("bucket")+"/"+described.Name, text)
		_ = json.NewEncoder(w).Encode(object(r.PathValue("bucket")+"/"+described.Name, text))
	})
	mux.HandleFunc("POST /part/{bucket}/{name...}", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Content-Range"), "bytes "), "-")
		if begin, err := strconv.Atoi(first); err == nil { // "*" ends an upload without bytes
			b.addPart(name(r), begin, text)
		}
		if strings.HasSuffix(r.Header.Get("Content-Range"), "/*") {
			w.Header().Set("X-Http-Status-Code-Override", "308") // continue
			return
		}
		_ = json.NewEncoder(w).Encode(object(name(r), b.end(name(r))))
	})
	return mux
}
