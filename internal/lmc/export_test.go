package lmc

// ForgetSlots has the tracker use no memory of blocks again.
func (t *Tracker) ForgetSlots() { t.slots = nil }
