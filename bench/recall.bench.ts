// Recall and speed of retrieval. Quality is reported for the half of the history that was not used for tuning.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import { orama } from './recall-peers.ts'
import { quality } from './recall-quality.ts'
import { indexingRate, times } from './recall-times.ts'

export const bench: Bench = {
  name: 'recall',
  summary:
    'recall@k on the held-out history with no model and with the bundled one, and search times; compared with Orama and a bare FTS5 table',
  async run(progress) {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
    const peer = await orama()
    try {
      return [
        ...(await quality(folder, peer, progress)),
        ...(await times(folder, peer, progress)),
        ...(await indexingRate(join(folder, 'home'), progress)),
      ]
    } finally {
      peer.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
