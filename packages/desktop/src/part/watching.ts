// Whether the user is looking at a window of Tandem: this one, or another of the same browser.

const key = 'tandem.watching'
const every_ms = 4_000
/** A window that was closed or has crashed no longer says so. */
const valid_ms = 3 * every_ms

export function isWatched(): boolean {
  if (isWatchedHere()) return true
  const age = Date.now() - Number(read() ?? Number.NaN)
  return age >= 0 && age < valid_ms
}

export function isWatchedHere(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/** Until the returned function is called, other windows know that this one is watched. */
export function sayWhileWatched(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  const update = () => {
    clearInterval(timer)
    if (!isWatchedHere()) return
    write(String(Date.now()))
    timer = setInterval(() => write(String(Date.now())), every_ms)
  }
  const leave = () => {
    clearInterval(timer)
    write(null)
  }
  update()
  addEventListener('focus', update)
  addEventListener('blur', leave)
  addEventListener('pagehide', leave)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', update)
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
