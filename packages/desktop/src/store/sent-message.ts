// The idempotency key of a message. Sending the same message again after a lost connection must not write it twice; an edited message is another one.
import type { Attachment } from '@tandem/contract/command'

export interface SentMessage {
  readonly text: string
  readonly attachments: readonly Pick<Attachment, 'file_id'>[]
  readonly key: string
}

/** `last`: what was sent, and may have been received; null once it was. */
export function sentAgain(last: SentMessage | null, message: Omit<SentMessage, 'key'>, newKey: () => string): SentMessage {
  const isSame = last !== null && last.text === message.text && idsOf(last) === idsOf(message)
  return isSame ? last : { ...message, key: newKey() }
}

function idsOf({ attachments }: Pick<SentMessage, 'attachments'>): string {
  return attachments.map(({ file_id }) => file_id).join(' ')
}
