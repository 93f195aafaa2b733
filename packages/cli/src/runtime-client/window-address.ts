// The address of another window of the running Tandem.
import { setTimeout as sleep } from 'node:timers/promises'
import { windowPath } from '@tandem/contract/command'
import { readRuntimeFile } from './runtime-file.ts'

/** One that is still starting has its address in a moment. */
const looks = 50
const between_ms = 200

/** Null if the process that has the lease has no window. */
export async function requestWindowAddress(home: string): Promise<string | null> {
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
    // Shutting down, or not ready yet: retry.
    return null
  }
}
