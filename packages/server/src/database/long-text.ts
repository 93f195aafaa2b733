// Long texts go to PostgreSQL as the bytes they are. The driver takes strings: it would have one made of them, write that as bytes again
// and copy these twice, which for hundreds of kilobytes is more work than all else in a statement. So a ticket stands for the text among
// the parameters, and the wire puts the text in its place.
import { randomUUID } from 'node:crypto'
import { giveBack } from '../give-back.ts'

/** Nobody else can write one: it is made anew with each process and told to nobody. */
const mark = `long-text-${randomUUID()}-`
const digits = 12
const ticketBytes = mark.length + digits

const waiting = new Map<string, Buffer>()
let count = 0

/**
 * Does `work` with tickets for `texts`, each a whole parameter. They hold until it is done, for a driver may send a statement twice. Then
 * the memory of the texts is given back.
 */
export async function withLongTexts<T>(texts: readonly Buffer[], work: (tickets: readonly string[]) => Promise<T>): Promise<T> {
  const tickets = texts.map((text) => {
    count += 1
    const ticket = mark + String(count).padStart(digits, '0')
    waiting.set(ticket, text)
    return ticket
  })
  try {
    const result = await work(tickets)
    // Answered, so nothing of it is still to be sent.
    for (const text of texts) giveBack(text)
    return result
  } finally {
    for (const ticket of tickets) waiting.delete(ticket)
  }
}

/** Whole messages of the protocol, in parts: with texts where their tickets were, and the lengths that say so. */
export function putLongTexts(messages: Buffer): Buffer[] {
  if (waiting.size === 0 || !messages.includes(mark)) return [messages]
  const parts: Buffer[] = []
  let sent = 0
  let end = 0
  for (let start = 0; start < messages.length; start = end) {
    // A letter, then the length of the rest with its own four bytes.
    const length = messages.readInt32BE(start + 1)
    end = start + 1 + length
    let grown = 0
    for (let at = messages.indexOf(mark, start); at !== -1 && at < end; at = messages.indexOf(mark, at + ticketBytes)) {
      const text = waiting.get(messages.toString('latin1', at, at + ticketBytes))
      if (!text || messages.readInt32BE(at - 4) !== ticketBytes) throw new Error('a ticket for a long text is not a parameter of its own')
      messages.writeInt32BE(text.length, at - 4)
      parts.push(messages.subarray(sent, at), text)
      sent = at + ticketBytes
      grown += text.length - ticketBytes
    }
    messages.writeInt32BE(length + grown, start + 1)
  }
  return [...parts, messages.subarray(sent)]
}
