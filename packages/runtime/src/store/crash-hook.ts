// Reports each crash point that is reached. The crash tests preload a function (node --import) that kills the process there.

declare global {
  var tandemCrashpoint: ((name: string) => void) | undefined
}

export function reachCrashpoint(name: string): void {
  globalThis.tandemCrashpoint?.(name)
}
