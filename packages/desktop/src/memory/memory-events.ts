/** Events after which other memories may exist. */
export const memoryEvents = /^(?:memory_flush_completed|heartbeat_review_completed)$/
