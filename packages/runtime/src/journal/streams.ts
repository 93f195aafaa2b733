// The text of responses that are being streamed, one per run.
import type { Store } from '../store/store.ts'

interface StreamedResponse {
  readonly message_id: string
  readonly text: string
}

export interface Streams {
  /** The text of a response that is being streamed; replaced as it grows, deleted when the message is complete. */
  keepStream(run: number, message_id: string, text: string): void
  stream(run: number): StreamedResponse | undefined
  dropStream(run: number): void
}

export function openStreams({ sql, clock, kept }: Pick<Store, 'sql' | 'clock' | 'kept'>): Streams {
  const streams = kept<StreamedResponse | undefined>('streams')
  const stream = (run: number) =>
    streams.get(String(run), () => sql.get<StreamedResponse>`SELECT message_id, text FROM streams WHERE run = ${run}`)
  return {
    stream,
    keepStream(run, message_id, text) {
      sql.run`
        INSERT INTO streams (run, message_id, text, updated_at) VALUES (${run}, ${message_id}, ${text}, ${clock.now()})
        ON CONFLICT (run) DO UPDATE SET message_id = excluded.message_id, text = excluded.text, updated_at = excluded.updated_at`
    },
    dropStream(run) {
      // A response that arrives at once was never stored as a stream.
      if (stream(run)) sql.run`DELETE FROM streams WHERE run = ${run}`
    },
  }
}
