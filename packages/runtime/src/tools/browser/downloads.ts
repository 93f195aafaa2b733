// Downloads of pages: stored in the temp folder of the run up to a size limit, and reported with the next result.
import { mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download } from 'playwright-core'
import type { Clock } from '../../clock/clock.ts'
import { safeName } from '../web/store-file.ts'

export interface DownloadSeen {
  readonly url: string
  readonly name: string
  state: 'running' | 'saved' | 'failed' | 'too_large'
  file: string | null
  bytes: number | null
}

export interface Downloads {
  readonly seen: DownloadSeen[]
  take(download: Download): void
  /** Resolves when all started downloads have ended. */
  settled(): Promise<void>
}

const largest = 512 * 1024 * 1024
const most = 50
const lookEveryMs = 500

export function openDownloads(folder: string, clock: Clock): Downloads {
  const seen: DownloadSeen[] = []
  const running = new Set<Promise<void>>()
  let count = 0

  async function save(download: Download, entry: DownloadSeen): Promise<void> {
    const stopLooking = limit(download, entry)
    try {
      const path = await download.path()
      const target = join(folder, `${++count}-${entry.name}`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(path, target)
      Object.assign(entry, { state: 'saved', file: target, bytes: (await stat(target)).size })
    } catch {
      // Canceled, or its tab was closed: the entry shows it.
      if (entry.state === 'running') entry.state = 'failed'
    } finally {
      stopLooking()
    }
  }

  /** There is no progress event, so the size of the file is checked. */
  function limit(download: Download, entry: DownloadSeen): () => void {
    let cancel: () => void = () => undefined
    const look = async () => {
      const size = await sizeOf(folder)
      if (size > largest && entry.state === 'running') {
        entry.state = 'too_large'
        await download.cancel()
      } else if (entry.state === 'running') {
        cancel = clock.after(lookEveryMs, () => void look())
      }
    }
    cancel = clock.after(lookEveryMs, () => void look())
    return () => cancel()
  }

  return {
    seen,
    take(download) {
      const entry: DownloadSeen = {
        url: download.url().slice(0, 2_000),
        name: safeName(download.suggestedFilename()),
        state: 'running',
        file: null,
        bytes: null,
      }
      seen.push(entry)
      if (seen.length > most) seen.shift()
      const work = save(download, entry).finally(() => running.delete(work))
      running.add(work)
    },
    settled: async () => void (await Promise.all(running)),
  }
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
