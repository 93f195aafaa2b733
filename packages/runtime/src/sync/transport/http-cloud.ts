// The cloud over HTTP, on behalf of the signed-in user.
import { openAsBlob } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StoredFile } from '@tandem/contract/file'
import { uploadPart } from '@tandem/contract/file'
import type { Account } from '../../account/account.ts'
import type { CloudDevice, CloudFiles, SyncCloud } from './cloud.ts'
import { download } from './download.ts'

/** For uploads and downloads of large files. */
const longPatience_ms = 10 * 60_000

export function openHttpCloud(account: Account): SyncCloud & CloudDevice & CloudFiles {
  return {
    push: (json) => account.call({ method: 'POST', path: '/api/v1/sync/push', json }),
    pull: (query) => account.call({ method: 'GET', path: `/api/v1/sync/pull?${searchOf(query)}` }),
    device: (device_id) => account.call({ method: 'GET', path: `/api/v1/users/devices/${encodeURIComponent(device_id)}` }),
    register: (json) => account.call({ method: 'POST', path: '/api/v1/users/devices', json }),
    heartbeat: (json) => account.call({ method: 'POST', path: '/api/v1/device/heartbeat', json }),
    async send(name, path) {
      const form = new FormData()
      form.set('name', name)
      form.set(uploadPart, await openAsBlob(path, { type: name.endsWith('.txt') ? 'text/plain' : 'application/octet-stream' }), name)
      const headers = { 'idempotency-key': `file-${name}` }
      return await account.call({ method: 'POST', path: '/api/v1/files/upload', form, headers, timeout_ms: longPatience_ms })
    },
    async fetch(name, path) {
      const list = await account.call<{ items: readonly StoredFile[] }>({
        method: 'GET',
        path: `/api/v1/files?${searchOf({ q: name, limit: 1 })}`,
      })
      if (list.kind !== 'ok') return list
      const [file] = list.body.items
      if (!file) return { kind: 'ok', body: 'missing' }
      const answer = await account.send({ method: 'GET', path: `/api/v1/files/${file.id}`, timeout_ms: longPatience_ms })
      if (answer.kind !== 'ok') return answer
      return await written(answer.body, path)
    },
  }
}

/** Complete under its name, or not at all. */
async function written(response: Response, path: string): ReturnType<CloudFiles['fetch']> {
  const arriving = `${path}.part`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await download(response, arriving, 'w')
  } catch (error) {
    return { kind: 'unreachable', detail: `the download was interrupted: ${error instanceof Error ? error.message : String(error)}` }
  }
  await rename(arriving, path)
  return { kind: 'ok', body: 'fetched' }
}

function searchOf(query: Readonly<Record<string, string | number | undefined>>): URLSearchParams {
  const given = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined)
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
}
