// Opens the window: as an app in Chrome, Edge or Chromium, otherwise in the user's default browser.
import { spawn } from 'node:child_process'
import { accessSync, constants, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface LaunchEnvironment {
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Chromium does not run as root with its own sandbox, and we do not open it without. */
  readonly isRoot: boolean
  isExecutable(file: string): boolean
}

export type WindowLauncher =
  /** A window without tabs, with its own profile. */
  | { readonly kind: 'app'; readonly program: string }
  | { readonly kind: 'browser'; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: 'none'; readonly because: string }

export const currentEnvironment: LaunchEnvironment = {
  platform: process.platform,
  environment: process.env,
  isRoot: process.getuid?.() === 0,
  isExecutable(file) {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      // Missing, or not accessible.
      return false
    }
  },
}

/** How a window can be opened here. Pure except for checking whether files exist. */
export function chooseLauncher({ platform, environment, isRoot, isExecutable }: LaunchEnvironment): WindowLauncher {
  if (platform === 'linux' && !environment.DISPLAY && !environment.WAYLAND_DISPLAY)
    return { kind: 'none', because: 'no display is available' }
  if (isRoot) return { kind: 'none', because: 'browsers cannot run safely as root' }
  const app = programs(platform, environment).find(isExecutable)
  if (app) return { kind: 'app', program: app }
  if (platform === 'darwin') return { kind: 'browser', program: '/usr/bin/open', args: [] }
  if (platform === 'win32') return { kind: 'browser', program: 'explorer.exe', args: [] }
  const open = onPath(environment, ['xdg-open']).find(isExecutable)
  return open ? { kind: 'browser', program: open, args: [] } : { kind: 'none', because: 'no browser was found' }
}

/** Starts it and does not wait. The one-time code is in a file that only the user can read, because every user can read a command line. */
export function openWindow(url: string, home: string, way: Exclude<WindowLauncher, { kind: 'none' }>): void {
  const page = join(home, 'window.html')
  rmSync(page, { force: true })
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}"><title>Tandem</title>\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  const address = pathToFileURL(page).href
  const args =
    way.kind === 'app'
      ? [`--app=${address}`, `--user-data-dir=${join(home, 'window-profile')}`, '--no-first-run', '--no-default-browser-check']
      : [...way.args, address]
  const child = spawn(way.program, args, { detached: true, stdio: 'ignore' })
  child.on('error', (error) => console.error(`tandem: the window could not be opened (${error.message}); open the address yourself`))
  child.unref()
}

function programs(platform: NodeJS.Platform, environment: LaunchEnvironment['environment']): string[] {
  if (platform === 'darwin') {
    const names = ['Google Chrome', 'Microsoft Edge', 'Chromium']
    return names.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
  }
  if (platform === 'win32') {
    const folders = [environment.PROGRAMFILES, environment['PROGRAMFILES(X86)'], environment.LOCALAPPDATA].filter(
      (one) => one !== undefined,
    )
    const inside = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
      'Chromium\\Application\\chrome.exe',
    ]
    return inside.flatMap((path) => folders.map((folder) => `${folder}\\${path}`))
  }
  return onPath(environment, [
    'google-chrome',
    'google-chrome-stable',
    'chromium',
    'chromium-browser',
    'microsoft-edge',
    'microsoft-edge-stable',
  ])
}

function onPath(environment: LaunchEnvironment['environment'], names: readonly string[]): string[] {
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}
