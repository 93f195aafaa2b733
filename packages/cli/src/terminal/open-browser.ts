// Opens an address in the browser of the user.
import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not a shell: the address contains characters that a shell would interpret.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Whether a browser was started. Only http and https addresses are opened. */
export function openBrowser(address: string): Promise<boolean> {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return Promise.resolve(false)
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore' })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
