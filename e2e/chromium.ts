// The system's Chromium, without background network requests.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

export function launchChromium(): Promise<Browser> {
  // Chromium's own sandbox cannot run as root; only our own window is opened here.
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet
  return chromium.launch({ executablePath: installedChromium(), args })
}

export function installedChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (!found) throw new Error(`no browser: none of ${names.join(', ')} is on the PATH. On Debian: apt-get install chromium`)
  return found
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
