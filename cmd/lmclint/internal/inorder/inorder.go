// Package inorder runs tasks side by side and hands over what they give in the
// order of the tasks. Who reads the output cannot tell how many worked on it.
package inorder

import (
	"context"
	"sync"
)

// Limits of what waits for its turn.
const (
	Ahead = 1024 // tasks that may be done or begun before the first unfinished one is
	Held  = 8192 // items of later tasks that are kept; a task with more has to wait
)

// Output takes what the tasks give. Its methods are never called at the same
// time. An error of one ends the run.
type Output[Item, Result any] interface {
	// Item takes an item of the task whose turn it is.
	Item(Item) error
	// Done takes the result of that task. Then it is the next one's turn.
	Done(task int, result Result) error
	// Pause says that no item may come for long.
	Pause() error
}

// Run does as many tasks as it is told, counted from 0, with so many workers.
// A task gives its items while it works, and its result. Those of the first
// unfinished task are handed over at once. Run returns the first error of the
// output. When the context ends, no more tasks are begun; those at work are
// handed over as they end.
func Run[Item, Result any](
	ctx context.Context, tasks, workers int,
	work func(context.Context, *Task[Item, Result]) Result, out Output[Item, Result],
) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	q := &queue[Item, Result]{
		ctx: ctx, stop: stop, out: out, tasks: tasks,
		slots: make([]slot[Item, Result], min(tasks, Ahead)),
	}
	q.changed.L = &q.mu
	defer context.AfterFunc(ctx, q.wake)()
	var group sync.WaitGroup
	for range min(workers, tasks) - 1 {
		group.Go(func() { q.work(work) })
	}
	q.work(work)
	group.Wait()
	return q.err
}

// Task is a task at work.
type Task[Item, Result any] struct {
	Number int // from 0
	queue  *queue[Item, Result]
}

// Emit gives an item. It waits while too much waits already. An error means
// that the task is to give up: it is that of the output, or why the context
// ended.
func (t *Task[Item, Result]) Emit(item Item) error { return t.queue.emit(t.Number, item) }

// Pause says that the task may have nothing to give for long. The output is
// told when it is the task's turn, and that may be later.
func (t *Task[Item, Result]) Pause() error { return t.queue.pause(t.Number) }
