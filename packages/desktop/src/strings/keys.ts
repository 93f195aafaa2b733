// Keys by the name that stands on them.
const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '')

/** The key that is held for commands. */
export const commandKey = isApple ? '⌘' : 'Ctrl'
