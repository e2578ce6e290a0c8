// Package media reads images that are written as base64: is it base64, what
// kind of image is it, and where does the image end?
//
// A [Scanner] looks at a text once, in pieces if need be. It keeps a few
// kilobytes, whatever the size of the image, and allocates nothing.
package media
