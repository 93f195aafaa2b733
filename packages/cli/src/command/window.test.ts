import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { chooseLauncher, type LaunchEnvironment, openWindow } from './window.ts'

const linux: LaunchEnvironment = {
  platform: 'linux',
  environment: { PATH: '/a:/b', DISPLAY: ':0' },
  isRoot: false,
  isExecutable: (file) => file === '/b/chromium',
}

test.each([
  ['the Chromium of this machine', linux, { kind: 'app', program: '/b/chromium' }],
  ['Chrome before Chromium', { ...linux, isExecutable: () => true }, { kind: 'app', program: '/a/google-chrome' }],
  ['on Wayland too', { ...linux, environment: { PATH: '/b', WAYLAND_DISPLAY: 'w' } }, { kind: 'app', program: '/b/chromium' }],
  ['no screen', { ...linux, environment: { PATH: '/b' } }, { kind: 'none', because: 'no display is available' }],
  ['root', { ...linux, isRoot: true }, { kind: 'none', because: 'browsers cannot run safely as root' }],
  [
    'another browser',
    { ...linux, isExecutable: (file: string) => file === '/a/xdg-open' },
    { kind: 'browser', program: '/a/xdg-open', args: [] },
  ],
  ['nothing', { ...linux, isExecutable: () => false }, { kind: 'none', because: 'no browser was found' }],
  [
    'Edge on a Mac',
    { ...linux, platform: 'darwin' as const, isExecutable: (file: string) => file.includes('Edge') },
    { kind: 'app', program: '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge' },
  ],
  [
    'Edge on Windows',
    {
      ...linux,
      platform: 'win32' as const,
      environment: { 'PROGRAMFILES(X86)': 'C:\\P' },
      isExecutable: (file: string) => file.endsWith('msedge.exe'),
    },
    { kind: 'app', program: 'C:\\P\\Microsoft\\Edge\\Application\\msedge.exe' },
  ],
])('%s', (_name, surroundings, way) => {
  expect(chooseLauncher(surroundings)).toEqual(way)
})

test('the code is in a file that only its owner can read, not on the command line', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tandem-window-'))
  const [program, seen] = [join(home, 'browser'), join(home, 'seen')]
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}.part\nmv ${seen}.part ${seen}\n`, { mode: 0o700 })
  // An existing file is not written through.
  writeFileSync(join(home, 'window.html'), 'old')
  openWindow('http://127.0.0.1:4000/#code=secret', home, { kind: 'app', program })
  const args = await vi.waitFor(() => readFileSync(seen, 'utf8'), { timeout: 60_000 })
  expect(args).toContain(`--app=file://${home}/window.html\n--user-data-dir=${home}/window-profile\n`)
  expect(args).not.toContain('secret')
  expect(readFileSync(join(home, 'window.html'), 'utf8')).toContain('url=http://127.0.0.1:4000/#code=secret"')
  expect(statSync(join(home, 'window.html')).mode & 0o777).toBe(0o600)
  rmSync(home, { recursive: true })
})
