import { join } from 'node:path'
import type { Settings } from '@tandem/contract/command'
import { exitCodes } from '../run/exit-code.ts'
import { withRuntimeClient } from '../runtime-client/connect.ts'
import { homeFolder } from '../runtime-client/home.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { explainedUsage, joinUsages, parseArguments, printUsage } from '../terminal/args.ts'
import { readSecret } from '../terminal/password.ts'
import { refused } from '../terminal/refusal.ts'
import { table } from '../terminal/table.ts'
import { stripControls } from '../terminal/terminal-text.ts'
import { configFileName, configKeys, isConfigKey, readConfig, withValue, writeConfig } from './config-file.ts'
import { deviceKeySummaries, isSecretKey, secretKeys, settingChange, settingTexts } from './device-settings.ts'

const explained = (keys: readonly (readonly [string, string])[]) => keys.map(([key, text]) => `  ${key.padEnd(25)}${text}`)

const usage = joinUsages(
  explainedUsage('tandem config [list] [--json]', 'Lists all settings: the defaults of the terminal, and the settings of this device.'),
  explainedUsage('tandem config get KEY', 'Prints the value of one setting. If it is not set, the exit code is 1.'),
  explainedUsage('tandem config set KEY VALUE', 'Changes a setting. A list is written with commas. To remove a setting, use unset.'),
  explainedUsage(
    `tandem config set ${secretKeys.join('|')}`,
    'Reads the key from the terminal or from standard input, never from the command line. It is never shown.',
  ),
  explainedUsage('tandem config unset KEY', 'Removes a setting: its default applies again.'),
  explainedUsage(
    'tandem config path',
    `Prints the path of the file with the defaults of the terminal (${configFileName}).`,
    'Keys of the terminal:',
    ...explained(Object.entries(configKeys).map(([key, { summary }]) => [key, summary])),
    'Keys of this device:',
    ...explained(Object.entries(deviceKeySummaries)),
    ...explained([['memory.…, knowledge.…', 'Settings of features, such as memory.reviews']]),
  ),
)

/** The number of arguments of each action. */
const needs: ReadonlyMap<string, number> = new Map([
  ['list', 0],
  ['get', 1],
  ['set', 2],
  ['unset', 1],
  ['path', 0],
])

/** `tandem config`: settings of the terminal in a file, and of the device in its database. */
export async function config(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { json: { type: 'boolean', default: false } }, usage)
  if (!given.ok) return given.code
  const [action = 'list', key = '', value] = given.words
  const needed = needs.get(action)
  if (needed === undefined) return printUsage(`unknown action "${action}": choose one of ${[...needs.keys()].join(', ')}`, usage)
  const expected = action === 'set' && isSecretKey(key) ? 1 : needed
  if (given.words.length - 1 !== expected && given.words.length > 0) {
    if (action === 'set' && isSecretKey(key)) return printUsage(`${key} is read from the terminal or from standard input`, usage)
    return printUsage(`${action} needs ${expected} ${expected === 1 ? 'argument' : 'arguments'}`, usage)
  }
  if (action === 'path') {
    console.log(join(homeFolder(), configFileName))
    return 0
  }
  if ((action === 'set' || action === 'unset') && isConfigKey(key)) return change(key, action === 'set' ? (value ?? '') : null)
  const file = readConfig(homeFolder())
  if ('problem' in file) return printUsage(file.problem, usage)
  if (action === 'get' && isConfigKey(key)) return show(key, file.values[key] ?? null)
  return await withRuntimeClient(process.cwd(), async (client) => {
    const read = await client.call('runtime_get_settings', {})
    if (!read.ok) return refused(read.error)
    const { settings } = read.value
    const known = settingTexts(settings)
    if (action === 'list') return list([...keyRows(file.values), ...known], given.values.json)
    if (!known.has(key)) return unknownKey(key)
    if (action === 'get') return show(key, known.get(key) ?? null)
    const text = action === 'unset' ? null : isSecretKey(key) ? await readSecret(`${key}: `) : (value ?? '')
    if (action === 'set' && (text === null || text.trim() === '')) return printUsage(emptyValue(key), usage)
    return await setDevice(client, settings, key, text)
  })
}

function keyRows(values: Readonly<Record<string, string | undefined>>): [string, string | null][] {
  return Object.keys(configKeys).map((key) => [key, values[key] ?? null])
}

function list(rows: readonly (readonly [string, string | null])[], json: boolean): number {
  if (json) console.log(JSON.stringify(Object.fromEntries(rows)))
  else console.log(table(rows.map(([key, value]) => [key, value ?? '(not set)'])))
  return 0
}

/** Exit code 1 if it is not set, for scripts. */
function show(key: string, value: string | null): number {
  if (value === null) {
    console.error(`tandem: ${key} is not set.`)
    return exitCodes.failed
  }
  console.log(stripControls(value))
  return 0
}

function change(key: Parameters<typeof withValue>[1], value: string | null): number {
  if (value?.trim() === '') return printUsage(emptyValue(key), usage)
  const wrong = value === null ? null : configKeys[key].problem(value)
  if (wrong !== null) return printUsage(`${key} ${wrong}`, usage)
  const file = readConfig(homeFolder())
  if ('problem' in file) return printUsage(file.problem, usage)
  writeConfig(homeFolder(), withValue(file.values, key, value))
  return 0
}

async function setDevice(client: RuntimeClient, settings: Settings, key: string, text: string | null): Promise<number> {
  const done = await client.receive('runtime_set_settings', settingChange(settings, key, text) ?? {})
  return done.ok ? 0 : refused(done.error)
}

function emptyValue(key: string): string {
  return `${key} cannot be empty. To remove it, run tandem config unset ${key}`
}

function unknownKey(key: string): number {
  return printUsage(`unknown key "${stripControls(key)}". To see all keys, run tandem config`, usage)
}
