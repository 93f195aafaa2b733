// Messages that were written while the agent works. They are sent at its next turn, and can be changed until then.

export interface MessageQueue {
  readonly texts: readonly string[]
}

export const emptyQueue: MessageQueue = { texts: [] }

export function added({ texts }: MessageQueue, text: string): MessageQueue {
  return { texts: [...texts, text] }
}

/** Takes the last one back, to be edited. */
export function lastTaken({ texts }: MessageQueue): { readonly text: string; readonly rest: MessageQueue } | null {
  const text = texts.at(-1)
  return text === undefined ? null : { text, rest: { texts: texts.slice(0, -1) } }
}

/** As one message: each of them is a paragraph. */
export function asOneMessage({ texts }: MessageQueue): string | null {
  return texts.length === 0 ? null : texts.join('\n\n')
}
