// A runtime in a process of its own, which tests may kill: it writes agents as fast as it can and says the number of each. Not more than one
// page of a list holds, however late the test gets round to killing it.
import { openCloudDevice } from './cloud-device.ts'

const [, , folder, cloud_url, email, password] = process.argv
if (!folder || !cloud_url || !email || !password) throw new Error('folder, address, e-mail and password are needed')
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
// What it has written goes on being sent until it is killed.
setInterval(() => undefined, 60_000)
