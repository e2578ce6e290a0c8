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

// Output receives the results of tasks. Its methods are never called
// concurrently and do not panic. An error of one ends the run.
type Output[Item, Result any] interface {
	// Item receives an item of the current task.
	Item(Item) error
	// Done receives the result of the current task. The next task becomes the
	// current one.
	Done(task int, result Result) error
	// Pause is called when no item may follow for long.
	Pause() error
}

// Run runs tasks, numbered from 0, with a number of workers. A task emits items
// while it runs, and returns a result; it does not panic. Items of the first
// unfinished task are passed on immediately. Run returns the first error of the
// output. Once the context is canceled no more tasks are started; the results
// of running ones are passed on as they end.
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

// Task is a running task.
type Task[Item, Result any] struct {
	Number int // from 0
	queue  *queue[Item, Result]
}

// Emit emits an item. It blocks while Held items of later tasks are kept. If it
// returns an error, which is that of the output or the cause of the context, the
// task must end.
func (t *Task[Item, Result]) Emit(item Item) error { return t.queue.emit(t.Number, item) }

// Pause reports that the task may emit nothing for long. The output is called
// when the task is the current one.
func (t *Task[Item, Result]) Pause() error { return t.queue.pause(t.Number) }

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
	slots   []slot[Item, Result] // of the tasks from turn to next, each at its number modulo the length
	turn    int                  // the first unfinished task
	next    int                  // the first task that was not started
	held    int                  // items in all slots
	spare   []Item               // items of a former slot, for reuse
	err     error                // the output's
}

// slot is a task that was started.
type slot[Item, Result any] struct {
	items  []Item // kept until it is the task's turn
	paused bool
	done   bool
	result Result
}

func (q *queue[Item, Result]) slot(task int) *slot[Item, Result] {
	return &q.slots[task%len(q.slots)]
}

// work runs one task after another.
func (q *queue[Item, Result]) work(do func(context.Context, *Task[Item, Result]) Result) {
	task := &Task[Item, Result]{queue: q}
	for q.claim(task) {
		q.finish(task.Number, do(q.ctx, task))
	}
}

// claim starts the next task and reports whether there is one.
func (q *queue[Item, Result]) claim(task *Task[Item, Result]) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.next-q.turn == len(q.slots) && q.next < q.tasks && q.running() {
		q.changed.Wait()
	}
	if q.next == q.tasks || !q.running() {
		return false
	}
	task.Number = q.next
	q.next++
	return true
}

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
	s := q.slot(task)
	if s.items == nil {
		s.items, q.spare = q.spare, nil
	}
	s.items = append(s.items, item)
	q.held++
	return nil
}

func (q *queue[Item, Result]) pause(task int) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil {
		return q.err
	}
	q.slot(task).paused = true
	if task != q.turn {
		return nil
	}
	return q.check(q.out.Pause())
}

func (q *queue[Item, Result]) finish(task int, result Result) {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.slot(task)
	s.done, s.result = true, result
	if task == q.turn && q.err == nil {
		_ = q.check(q.advance())
		q.changed.Broadcast()
	}
}

// advance passes on the results of finished tasks, and the items that the next
// one has emitted so far.
func (q *queue[Item, Result]) advance() error {
	for q.turn < q.next && q.slot(q.turn).done {
		if err := q.out.Done(q.turn, q.slot(q.turn).result); err != nil {
			return err
		}
		*q.slot(q.turn) = slot[Item, Result]{}
		q.turn++
		if err := q.release(); err != nil {
			return err
		}
	}
	if q.turn < q.next && q.slot(q.turn).paused {
		return q.out.Pause()
	}
	return nil
}

// release passes on the items kept for the current task.
func (q *queue[Item, Result]) release() error {
	if q.turn == q.next {
		return nil
	}
	s := q.slot(q.turn)
	for _, item := range s.items {
		if err := q.out.Item(item); err != nil {
			return err
		}
	}
	if len(s.items) > 0 {
		q.held -= len(s.items)
		clear(s.items)
		q.spare, s.items = s.items[:0], nil
	}
	return nil
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

// wake wakes all waiting goroutines.
func (q *queue[Item, Result]) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}
