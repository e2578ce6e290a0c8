// Package ordered runs tasks side by side and hands over what they give in the
// order of the tasks. Who reads the output cannot tell how many worked on it.
package ordered

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

// queue holds the tasks that are at work and those that wait to be handed over.
type queue[Item, Result any] struct {
	ctx   context.Context
	stop  context.CancelFunc
	out   Output[Item, Result]
	tasks int

	mu      sync.Mutex
	changed sync.Cond
	slots   []slot[Item, Result] // of the tasks from turn to next, each at its number modulo the length
	turn    int                  // the first unfinished task
	next    int                  // the first that was not begun
	held    int                  // items in all slots
	spare   []Item               // memory of a slot, to be used again
	err     error                // the output's
}

// slot is a task that was begun.
type slot[Item, Result any] struct {
	items  []Item // for when it is the task's turn
	paused bool
	done   bool
	result Result
}

func (q *queue[Item, Result]) slot(task int) *slot[Item, Result] {
	return &q.slots[task%len(q.slots)]
}

// work does one task after another.
func (q *queue[Item, Result]) work(do func(context.Context, *Task[Item, Result]) Result) {
	task := &Task[Item, Result]{queue: q}
	for q.claim(task) {
		q.finish(task.Number, do(q.ctx, task))
	}
}

// claim begins the next task and reports whether there is one.
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

// advance hands over what is done, and what the next task has given so far.
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

// release hands over the items that waited for this turn.
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

// check ends the run on an error of the output.
func (q *queue[Item, Result]) check(err error) error {
	if err != nil {
		q.err = err
		q.stop()
	}
	return err
}

func (q *queue[Item, Result]) running() bool { return q.err == nil && q.ctx.Err() == nil }

// wake has all that wait look again.
func (q *queue[Item, Result]) wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.changed.Broadcast()
}
