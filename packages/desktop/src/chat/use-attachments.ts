// The files to attach to a message: read, uploaded to the runtime, and kept with the draft until it is sent.
import type { Attachment } from '@tandem/contract/command'
import { limits } from '@tandem/contract/limits'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { keepAttachments, readAttachments, withoutSent } from '../store/draft.ts'
import { writingWords } from '../strings/composer.ts'
import { words } from '../strings/window.ts'

export interface Attachments {
  readonly kept: readonly Attachment[]
  /** The names of files that are being uploaded. */
  readonly coming: readonly string[]
  /** The files that could not be attached, and why. */
  readonly complaint: string | null
  add(files: readonly File[]): void
  remove(file_id: string): void
  /** These were sent. Others were added meanwhile. */
  clear(sent: readonly Attachment[]): void
}

const most = 20

export function useAttachments(place: string): Attachments {
  const client = useRuntimeClient()
  const [kept, setKept] = useState<readonly Attachment[]>(() => readAttachments(place))
  const [coming, setComing] = useState<readonly string[]>([])
  const [complaint, setComplaint] = useState<string | null>(null)
  const count = useRef(0)
  count.current = kept.length + coming.length
  useEffect(() => keepAttachments(place, kept), [place, kept])

  const add = useCallback(
    async (files: readonly File[]) => {
      setComplaint(null)
      for (const file of files) {
        if (file.size > limits.attachment_bytes) setComplaint(writingWords.tooLarge(file.name, limits.attachment_bytes))
        else if (count.current >= most) setComplaint(writingWords.tooMany(most))
        else {
          count.current += 1
          setComing((now) => [...now, file.name])
          const data = await base64Of(file)
          const name = (file.name || 'file').slice(0, 500)
          const params = { name, media_type: (file.type || 'application/octet-stream').slice(0, 500), data: data ?? '' }
          const answer = data === null ? null : await client.call(words.doing.attach, 'attachment_add', params)
          if (answer?.ok) setKept((now) => [...now, answer.value.attachment])
          if (answer === null) setComplaint(writingWords.unreadable(file.name))
          setComing((now) => now.filter((_, index) => index !== now.indexOf(file.name)))
        }
      }
    },
    [client],
  )
  return {
    kept,
    coming,
    complaint,
    add: (files) => void add(files),
    remove: (file_id) => setKept((now) => now.filter((one) => one.file_id !== file_id)),
    clear(sent) {
      // Also after the composer is gone.
      keepAttachments(place, withoutSent(readAttachments(place), sent))
      setKept((now) => withoutSent(now, sent))
    },
  }
}

/** Null if it cannot be read: a dropped folder, a deleted file. */
function base64Of(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onerror = () => resolve(null)
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result.slice(reader.result.indexOf(',') + 1) : null)
    reader.readAsDataURL(file)
  })
}
