// Package ordered runs tasks in parallel and passes on their results in the
// order of the tasks, so that the output does not depend on the number of
// workers.
package ordered

import (
	"context"
	"sync"
)

// Limits of what is kept until its turn.
const (
	Ahead = 1024 // tasks that may be started after the first unfinished one
	Held  = 8192 // items of later tasks that are kept; a task with more blocks
)

// Output receives the results of tasks. Its functions are never called
// concurrently and do not panic. An error of one ends the run.
type Output[Item, Result any] struct {
	Item func(Item) error                    // an item of the current task
	Done func(task int, result Result) error // the result of the current task: the next one becomes the current one
}

// Run runs tasks, numbered from 0, with a number of workers. A task emits items
// while it runs, and returns a result; it does not panic. It must end if emit returns an
// error, which is that of the output or the cause of the context. Items of the first
// unfinished task are passed on immediately. Run returns the first error of the
// output. Once the context is canceled no more tasks are started; the results
// of running ones are passed on as they end.
func Run[Item, Result any](
	ctx context.Context, tasks, workers int,
	work func(ctx context.Context, task int, emit func(Item) error) Result, out Output[Item, Result],
) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	q := &queue[Item, Result]{ctx: ctx, stop: stop, out: out, tasks: tasks, slots: map[int]*slot[Item, Result]{}}
	q.changed.L = &q.mu
	defer context.AfterFunc(ctx, func() { // wakes all waiting goroutines
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})()
	runTasks := func() {
		for task, ok := q.claim(); ok; task, ok = q.claim() {
			q.finish(task, work(ctx, task, func(item Item) error { return q.emit(task, item) }))
		}
	}
	var group sync.WaitGroup
	for range min(workers, tasks) - 1 {
		group.Go(runTasks)
	}
	runTasks()
	group.Wait()
	return q.err
}

// queue is the state of a run: the running tasks and the results kept until
// their turn. Its mutex guards all fields but those set by Run, and is held
// while the output is called.
type queue[Item, Result any] struct {
	ctx   context.Context
	stop  context.CancelFunc
	out   Output[Item, Result]
	tasks int

	mu      sync.Mutex
	changed sync.Cond
	slots   map[int]*slot[Item, Result] // of the tasks from turn to next
	turn    int                         // the first unfinished task; its slot has no items
	next    int                         // the first task that was not started
	held    int                         // items in all slots
	err     error                       // the output's
}

// slot is a task that was started.
type slot[Item, Result any] struct {
	items  []Item // kept until it is the task's turn
	done   bool
	result Result
}

// claim starts the next task and returns it, if there is one.
func (q *queue[Item, Result]) claim() (task int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.next-q.turn == Ahead && q.next < q.tasks && q.running() {
		q.changed.Wait()
	}
	if q.next == q.tasks || !q.running() {
		return 0, false
	}
	task = q.next
	q.slots[task] = &slot[Item, Result]{}
	q.next++
	return task, true
}

// emit passes on an item of a task, or keeps it. It blocks while Held items of later
// tasks are kept.
func (q *queue[Item, Result]) emit(task int, item Item) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for task != q.turn && q.held >= Held && q.running() {
		q.changed.Wait()
	}
	switch {
	case q.err != nil:
		return q.err
	case task == q.turn:
		return q.check(q.out.Item(item))
	case q.held >= Held:
		return context.Cause(q.ctx)
	}
	s := q.slots[task]
	s.items = append(s.items, item)
	q.held++
	return nil
}

// finish keeps the result of a task. If it was the current one, it passes on this and
// the results of the next tasks that are finished, and what the one after them has
// emitted so far.
func (q *queue[Item, Result]) finish(task int, result Result) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slots[task].done, q.slots[task].result = true, result
	if task != q.turn || q.err != nil {
		return
	}
	defer q.changed.Broadcast()
	for s := q.slots[q.turn]; s != nil; s = q.slots[q.turn] {
		for _, item := range s.items {
			if q.check(q.out.Item(item)) != nil {
				return
			}
		}
		q.held -= len(s.items)
		s.items = nil
		if !s.done || q.check(q.out.Done(q.turn, s.result)) != nil {
			return
		}
		delete(q.slots, q.turn)
		q.turn++
	}
}

// check ends the run if the output failed.
func (q *queue[Item, Result]) check(err error) error {
	if err != nil {
		q.err = err
		q.stop()
	}
	return err
}

func (q *queue[Item, Result]) running() bool { return q.err == nil && q.ctx.Err() == nil }
