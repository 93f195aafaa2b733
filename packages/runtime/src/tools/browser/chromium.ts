// Finds the Chromium of the system and starts it so that it can reach only the proxy of the run.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { ToolFailure } from '../../call/failure.ts'
import { findProgram, isExecutable } from '../../path/program.ts'

export interface ChromiumPlace {
  readonly executable: string
  readonly profile: string
  /** A short path for its temporary files. */
  readonly temp: string
  readonly downloads: string
  /** Includes the credential. */
  readonly proxy: string
}

/** The sandbox of Chromium cannot start as root. */
export function chromiumSandbox(): 'on' | 'off' {
  return process.getuid?.() === 0 ? 'off' : 'on'
}

export async function startChromium({ executable, profile, temp, downloads, proxy }: ChromiumPlace): Promise<BrowserContext> {
  const { chromium } = await import('playwright-core')
  const { host, username, password } = new URL(proxy)
  await prepare(profile)
  try {
    return await chromium.launchPersistentContext(profile, {
      executablePath: executable,
      headless: true,
      chromiumSandbox: chromiumSandbox() === 'on',
      proxy: { server: `http://${host}`, username, password, bypass: '<-loopback>' },
      args: flags,
      env: environment(profile, temp),
      downloadsPath: downloads,
      acceptDownloads: true,
      viewport: { width: 1280, height: 800 },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 30_000,
    })
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new ToolFailure('browser_start_failed', `Chromium did not start: ${why}`, {
      subject: executable,
      remedy: `Run ${executable} --headless --version, and reinstall Chromium if it fails.`,
      recoverability: 'user_action',
      cause: error,
    })
  }
}

/** Chromium must not resolve names itself: no name resolves except that of the proxy. */
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-domain-reliability',
  '--deny-permission-prompts',
  // Otherwise Chromium would ask Google who is signed in.
  '--gaia-url=http://127.0.0.1:1',
]

/** Turns off what Chromium would report to Google about pages and forms, and what it would ask the user. */
const preferences = {
  autofill: { enabled: false, profile_enabled: false, credit_card_enabled: false },
  credentials_enable_service: false,
  net: { network_prediction_options: 2 },
  profile: { password_manager_enabled: false, default_content_setting_values: { geolocation: 2, notifications: 2, media_stream: 2 } },
  safebrowsing: { enabled: false },
  search: { suggest_enabled: false },
  signin: { allowed: false, allowed_on_next_startup: false },
  translate: { enabled: false },
  webrtc: { ip_handling_policy: 'disable_non_proxied_udp', multiple_routes_enabled: false, nonproxied_udp_enabled: false },
}

async function prepare(profile: string): Promise<void> {
  await mkdir(join(profile, 'Default'), { recursive: true, mode: 0o700 })
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences), { mode: 0o600 })
}

/** The browser must not get keys and tokens of this process. */
function environment(profile: string, temp: string): Record<string, string> {
  const kept = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'SystemRoot', 'windir', 'ProgramFiles'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(kept), HOME: profile, TMPDIR: temp, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile }
}

export function findChromium(): string {
  const found = installed()
  if (found !== null) return found
  throw new ToolFailure('browser_missing', 'Chromium is not installed', {
    subject: 'chromium',
    remedy: process.platform === 'linux' ? 'Install Chromium (Debian: apt-get install chromium).' : 'Install Chromium or Google Chrome.',
    recoverability: 'user_action',
  })
}

function installed(): string | null {
  if (process.platform === 'darwin') {
    const names = ['Chromium', 'Google Chrome', 'Microsoft Edge']
    return names.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`).find(isExecutable) ?? null
  }
  if (process.platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].flatMap((name) => process.env[name] ?? [])
    const places = ['Google/Chrome/Application/chrome.exe', 'Chromium/Application/chrome.exe']
    return roots.flatMap((root) => places.map((place) => join(root, place))).find(isExecutable) ?? null
  }
  return findProgram(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'])
}
