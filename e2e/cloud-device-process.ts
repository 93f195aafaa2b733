// A runtime in its own process, which tests may kill: it creates agents as fast as it can and prints the number of each. At most as many as
// one page of a list has, however late the test kills it.
import { openCloudDevice } from './cloud-device.ts'

const [, , folder, cloud_url, email, password] = process.argv
if (!folder || !cloud_url || !email || !password) throw new Error('folder, address, email and password are needed')
const device = openCloudDevice('child', { folder })
const { account } = await device.call('account_show', {})
if (!account) await device.signIn(cloud_url, { email, password }, 'known')
const { items } = await device.call('agent_list', { limit: 200 })
process.stdout.write(`${items.length - 1}\n`)
for (let no = items.length; no < 150; no += 1) {
  await device.call('agent_create', { name: `made by the child ${no}` })
  process.stdout.write(`${no}\n`)
  await new Promise((resolve) => setTimeout(resolve, 5))
}
// Keeps sending its changes until it is killed.
setInterval(() => undefined, 60_000)
