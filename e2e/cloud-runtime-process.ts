// A device in its own process, which a test can kill with all its children. It is driven by commands over the IPC channel.
// usage: fork(cloud-runtime-process.ts, [FOLDER, MODEL_URL, AHEAD_MS])
import { openCloudDevice } from './cloud-device.ts'

const [folder = '', model_url = '', ahead = '0'] = process.argv.slice(2)
const environment = { TANDEM_MEMORY_MODEL: 'off', TANDEM_MODEL_URL: model_url, TANDEM_MODEL: 'test/model' }
const device = openCloudDevice('desk', { folder, ahead_ms: Number(ahead), environment })

process.on('message', async ({ no, name, params }: { no: number; name: 'stop' | (string & {}); params: unknown }) => {
  if (name === 'stop') {
    await device.runtime.stop()
    process.exit()
  }
  process.send?.({ no, answer: await device.runtime.commands.call(name as never, params as never) })
})
process.send?.({ ready: true })
