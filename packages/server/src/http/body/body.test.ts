import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readBody } from './body.ts'

test('does not wait for a body whose sender is already gone', async () => {
  const request = new IncomingMessage(new Socket())
  request.destroy()
  await once(request, 'close')
  await expect(readBody(request, 10)).rejects.toMatchObject({ code: 'invalid_request', message: 'the body ended before it was complete' })
})
