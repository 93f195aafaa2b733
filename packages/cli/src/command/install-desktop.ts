import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { explainedUsage, parseArguments, printUsage } from '../terminal/args.ts'

const usage = explainedUsage(
  'tandem install-desktop [--remove]',
  'Adds Tandem to the start menu on Linux: a desktop entry and its icon, for your user only. --remove: removes them again.',
)

export interface DesktopPlaces {
  readonly entry: string
  readonly icon: string
}

/** Where the XDG base directory specification has the files of a user. Relative paths in the variable are ignored, as it says. */
export function desktopPlaces(environment: Readonly<Record<string, string | undefined>>, home: string): DesktopPlaces {
  const given = environment.XDG_DATA_HOME
  const data = given !== undefined && isAbsolute(given) ? given : join(home, '.local', 'share')
  return {
    entry: join(data, 'applications', 'tandem.desktop'),
    icon: join(data, 'icons', 'hicolor', '512x512', 'apps', 'tandem.png'),
  }
}

/** Our own entry has this line; one that another program wrote is left alone. */
const mark = 'X-Tandem-Entry=true'

/** `file` is a part of the program: without it, menus hide the entry. */
export function desktopEntry(program: readonly string[], file: string, icon: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.5',
    'Name=Tandem',
    'GenericName=AI agents',
    'Comment=AI agents on your machine, under your supervision',
    `TryExec=${escapedValue(file)}`,
    `Exec=${program.map(quoted).join(' ')}`,
    `Icon=${escapedValue(icon)}`,
    'Terminal=false',
    'Categories=Development;Utility;',
    'StartupNotify=true',
    mark,
    '',
  ].join('\n')
}

/** An argument of Exec: quoted, with its special characters escaped, then escaped again as every value of the file. */
export function quoted(word: string): string {
  return escapedValue(`"${word.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`)
}

function escapedValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
}

/** `tandem install-desktop`. */
export async function installDesktop(args: readonly string[]): Promise<number> {
  const given = parseArguments(args, { remove: { type: 'boolean', default: false } }, usage)
  if (!given.ok) return given.code
  const [extra] = given.words
  if (extra !== undefined) return printUsage(`unexpected argument "${extra}"`, usage)
  if (process.platform !== 'linux') {
    console.error(
      'tandem: a start menu entry can be added only on Linux. Run tandem start, open its link in Chromium or Edge, and choose "Install Tandem" in the browser’s menu.',
    )
    return 1
  }
  const places = desktopPlaces(process.env, homedir())
  const isForeign = existsSync(places.entry) && !readFileSync(places.entry, 'utf8').includes(mark)
  if (isForeign) {
    console.error(`tandem: ${places.entry} was not written by Tandem. Move it away, and try again.`)
    return 1
  }
  if (given.values.remove) return remove(places)
  const file = fileURLToPath(new URL('../../bin/tandem.js', import.meta.url))
  if (isFromCache(file)) {
    console.error(
      'tandem: npx keeps this copy of Tandem only for a while, and the entry would stop working. Install Tandem first (npm install --global, with what you gave npx), and run tandem install-desktop.',
    )
    return 1
  }
  for (const file of [places.entry, places.icon]) mkdirSync(dirname(file), { recursive: true })
  copyFileSync(fileURLToPath(new URL('../../../desktop/public/icon-512.png', import.meta.url)), places.icon)
  writeFileSync(places.entry, desktopEntry([process.execPath, file, 'start'], file, places.icon), { mode: 0o644 })
  console.log(
    `Wrote ${places.entry}\nWrote ${places.icon}\nTandem is in the start menu now. Remove it with: tandem install-desktop --remove`,
  )
  return 0
}

/** npx installs what it runs in a folder of the cache of npm. `npx tandem` in a clone starts the clone, which stays. */
export function isFromCache(file: string): boolean {
  return file.split(sep).includes('_npx')
}

function remove({ entry, icon }: DesktopPlaces): number {
  const there = [entry, icon].filter((file) => existsSync(file))
  for (const file of there) rmSync(file)
  if (there.length === 0) console.log('There is no start menu entry of Tandem.')
  for (const file of there) console.log(`Removed ${file}`)
  return 0
}
