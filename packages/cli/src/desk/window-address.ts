// The address of another window of the Tandem that is running.
import { setTimeout as sleep } from 'node:timers/promises'
import { windowPath } from '@tandem/contract/command'
import { readRuntimeFile } from './runtime-file.ts'

/** One that is just starting says its address in a moment. */
const looks = 50
const between_ms = 200

/** Null when whoever holds the folder has no window. */
export async function askForWindow(home: string): Promise<string | null> {
  for (let look = 0; look < looks; look += 1) {
    const file = readRuntimeFile(home)
    const address = file && (await asked(file.url, file.token))
    if (address) return address
    await sleep(between_ms)
  }
  return null
}

async function asked(url: string, token: string): Promise<string | null> {
  try {
    const answer = await fetch(new URL(windowPath, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5_000),
    })
    const { url: address } = (await answer.json()) as { url?: unknown }
    return answer.ok && typeof address === 'string' && address.startsWith(url) ? address : null
  } catch {
    // Just ending, or not quite there: it is asked again.
    return null
  }
}
