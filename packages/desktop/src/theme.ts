// Light, dark, or the system's theme. Stored on this device only.

const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'tandem.theme'

/** Without storage in the browser, the system's theme is used. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(key)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch (error) {
    console.warn('the theme cannot be read', error)
    return 'system'
  }
}

export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(key, theme)
  } catch (error) {
    console.warn('the theme cannot be saved', error)
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
}
