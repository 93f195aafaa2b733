// The system's Chromium, without background network requests. Most tests use its edition without a user interface, which needs a third less
// processor time; it has no notifications, and cannot install a page.
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

const whole = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const light = ['chromium-headless-shell']
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']

export function launchChromium(edition: 'light' | 'whole' = 'light'): Promise<Browser> {
  const found = edition === 'light' ? findProgram(light) : undefined
  return chromium.launch({ executablePath: found ?? installedChromium(), args: launchArguments() })
}

/** With a profile in a folder, as users have it; other contexts are private. */
export function launchProfile(folder: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { executablePath: installedChromium(), args: launchArguments() })
}

function launchArguments(): string[] {
  // Chromium's own sandbox cannot run as root; only our own window is opened here.
  return process.getuid?.() === 0 ? ['--no-sandbox', ...quiet] : quiet
}

export function installedChromium(): string {
  const found = findProgram(whole)
  if (!found) throw new Error(`no browser: none of ${whole.join(', ')} is on the PATH. On Debian: apt-get install chromium`)
  return found
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
