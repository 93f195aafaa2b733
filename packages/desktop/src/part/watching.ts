// Whether the user is looking at a window of Tandem: this one, or another of the same browser.

const key = 'tandem.watching'
const every_ms = 4_000
/** A window that was closed or has crashed no longer says so. */
const valid_ms = 3 * every_ms
const thisWindow = crypto.randomUUID()

export function isWatched(): boolean {
  if (isWatchedHere()) return true
  const [window = thisWindow, at] = read()?.split(' ') ?? []
  const age = Date.now() - Number(at)
  return window !== thisWindow && age >= 0 && age < valid_ms
}

export function isWatchedHere(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/** Until the returned function is called, other windows know that this one is watched. */
export function sayWhileWatched(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const leave = () => {
    clearInterval(timer)
    if (read()?.startsWith(thisWindow)) write(null)
  }
  const say = () => (isWatchedHere() ? write(`${thisWindow} ${Date.now()}`) : leave())
  const update = () => {
    clearInterval(timer)
    timer = setInterval(say, every_ms)
    say()
  }
  update()
  addEventListener('focus', update)
  document.addEventListener('visibilitychange', update)
  addEventListener('blur', leave)
  addEventListener('pagehide', leave)
  return () => {
    leave()
    removeEventListener('focus', update)
    document.removeEventListener('visibilitychange', update)
    removeEventListener('blur', leave)
    removeEventListener('pagehide', leave)
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Without storage, each window knows only itself.
    return null
  }
}

function write(value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // As above.
  }
}
