package main

import (
	"os"
	"path/filepath"
)

// repository returns the working directory and the root of the repository that
// it is in, or again the working directory where there is none.
func repository() (dir, root string) {
	dir, err := os.Getwd()
	if err != nil {
		return "", ""
	}
	for root = dir; !exists(filepath.Join(root, ".git")); root = filepath.Dir(root) {
		if filepath.Dir(root) == root {
			return dir, dir
		}
	}
	return dir, root
}
