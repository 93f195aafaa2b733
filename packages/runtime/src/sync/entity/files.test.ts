// A file whose conversation is erased while it is being downloaded does not stay.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { offlineDevice } from '../../../test/support/sync/test-device.ts'
import { openEntityFiles } from './files.ts'

test('a file that is no longer wanted when it has arrived is deleted, and the others are kept', async () => {
  const device = offlineDevice(Date.parse('2026-03-01T09:00:00.000Z'))
  onTestFinished(device.dispose)
  const { sql, home } = device.store()
  const place = (file_id: string) => join(home, file_id)
  const texts = openEntityFiles(
    device.store(),
    { text: place, attachment: place },
    {
      send: () => Promise.reject(new Error('nothing is sent')),
      async fetch(_name, to) {
        writeFileSync(to, 'text')
        sql.run`DELETE FROM sync_files WHERE file_id = 'erased'`
        return { kind: 'ok', body: 'fetched' }
      },
    },
    () => undefined,
  )
  for (const file_id of ['erased', 'kept']) texts.want(file_id)
  expect(await texts.fetchWanted()).toBe(null)
  expect(['erased', 'kept'].map((file_id) => existsSync(place(file_id)))).toEqual([false, true])
  expect(sql.all`SELECT file_id, state FROM sync_files`).toEqual([{ file_id: 'kept', state: 'done' }])
})
