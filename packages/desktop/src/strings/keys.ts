// The names of keys as printed on them.
const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '')

/** The modifier key of shortcuts. */
export const commandKey = isApple ? '⌘' : 'Ctrl'
