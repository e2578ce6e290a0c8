module github.com/lmclint/lmclint

go 1.26
