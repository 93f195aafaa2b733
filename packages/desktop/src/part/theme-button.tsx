import { useState } from 'react'
import { words } from '../strings/window.ts'
import { applyTheme, nextTheme, storedTheme, storeTheme, type Theme } from '../theme.ts'

export function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme)
  const next = () => {
    const chosen = nextTheme(theme)
    storeTheme(chosen)
    applyTheme(chosen)
    setTheme(chosen)
  }
  return (
    <button
      type="button"
      onClick={next}
      aria-label={words.theme[theme]}
      title={words.theme[theme]}
      className="grid size-8 place-items-center rounded-md text-soft hover:bg-line/50 hover:text-ink"
    >
      <svg
        viewBox="0 0 20 20"
        width="17"
        height="17"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        aria-hidden="true"
      >
        {drawings[theme]}
      </svg>
    </button>
  )
}

const drawings: Record<Theme, React.ReactNode> = {
  system: (
    <>
      <circle cx="10" cy="10" r="6.5" />
      <path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" />
    </>
  ),
  light: (
    <>
      <circle cx="10" cy="10" r="3.5" />
      <path d="M10 1.8v1.6M10 16.6v1.6M1.8 10h1.6M16.6 10h1.6M4.2 4.2l1.1 1.1M14.7 14.7l1.1 1.1M15.8 4.2l-1.1 1.1M5.3 14.7l-1.1 1.1" />
    </>
  ),
  dark: <path d="M16.5 11.8A7 7 0 0 1 8.2 3.5a7 7 0 1 0 8.3 8.3z" strokeLinejoin="round" />,
}
