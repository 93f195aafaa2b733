import type { CommandError, ListedDevice } from '@tandem/contract/command'
import { distinctDeviceNames } from '@tandem/contract/device'
import { withRuntimeClient } from '../../runtime-client/connect.ts'
import type { RuntimeClient } from '../../runtime-client/runtime-client.ts'
import { parseArguments, printUsage } from '../../terminal/args.ts'
import { printRefusal } from '../../terminal/refusal.ts'
import { table } from '../../terminal/table.ts'
import { stripControls } from '../../terminal/terminal-text.ts'
import { utcMinute } from '../../terminal/time.ts'

const usage = `tandem devices [list] [--json] | tandem devices rename DEVICE NAME | tandem devices remove DEVICE
  DEVICE is the id or the name of one of your devices, as the list shows it. Removing a device signs it out; the data on it is kept.`

/** The number of arguments of each action. */
const needs: ReadonlyMap<string, number> = new Map([
  ['list', 0],
  ['rename', 2],
  ['remove', 1],
])

/** `tandem devices`: the devices of the account, and which of them are online. */
export async function devices(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json: { type: 'boolean', default: false } }, usage)
  if (!given.ok) return given.code
  const [verb = 'list', wanted, name] = given.words
  const { json } = given.values
  const needed = needs.get(verb)
  if (needed === undefined) return printUsage(`unknown action "${verb}"`, usage)
  const extra = given.words[needed + 1]
  if (extra !== undefined) return printUsage(`unexpected argument "${extra}"`, usage)
  if (given.words.slice(1).length < needed) return printUsage(`${verb} needs ${needed} ${needed === 1 ? 'argument' : 'arguments'}`, usage)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const listed = await allDevices(client)
    if (!listed.ok) return refused(listed.error)
    if (verb === 'list') return shown(listed.value, json)
    const names = distinctDeviceNames(listed.value)
    const [one, second] = listed.value.filter(
      ({ device_id, name }) => device_id === wanted || name === wanted || names.get(device_id) === wanted,
    )
    if (!one || second) {
      console.error(`tandem: ${one ? 'several devices are' : 'no device is'} named "${wanted}". List the devices with tandem devices.`)
      return 1
    }
    const { device_id } = one
    const answer =
      verb === 'rename'
        ? await client.call('device_rename', { device_id, name: name ?? '' })
        : await client.call('device_remove', { device_id })
    if (!answer.ok) return refused(answer.error)
    if (json) console.log(JSON.stringify(answer.value))
    else
      console.log(
        verb === 'rename'
          ? `The device is now named ${stripControls(name ?? '')}.`
          : `${stripControls(one.name)} was removed and signed out.`,
      )
    return 0
  })
}

type Listed = { readonly ok: true; readonly value: readonly ListedDevice[] } | { readonly ok: false; readonly error: CommandError }

export async function allDevices(client: RuntimeClient): Promise<Listed> {
  const items: ListedDevice[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.call('device_list', { limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    if (!page.ok) return page
    items.push(...page.value.items)
    if (page.value.next_cursor === null) return { ok: true, value: items }
    cursor = page.value.next_cursor
  }
}

function shown(items: readonly ListedDevice[], json: boolean): number {
  if (json) for (const one of items) console.log(JSON.stringify(one))
  else {
    const names = distinctDeviceNames(items)
    console.log(table(items.map((one) => rowOf({ ...one, name: names.get(one.device_id) ?? one.name }))))
  }
  return 0
}

function rowOf({ device_id, name, platform, presence, last_seen_at, this_device }: ListedDevice): string[] {
  const seen = this_device ? 'this device' : presence === 'online' ? 'online' : `last seen ${utcMinute(last_seen_at)}`
  return [name, seen, platform ?? '', device_id]
}

function refused(error: CommandError): number {
  printRefusal(error)
  return 1
}
