import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openSession } from './connection/session.ts'
import { applyLanguage } from './language/document-language.ts'
import { drawIcons } from './part/background-icons.ts'
import './style/window.css'
import { applyTheme, storedTheme } from './theme.ts'

applyLanguage()
applyTheme(storedTheme())
// After the first frame: nothing depends on the icons.
requestAnimationFrame(() => setTimeout(drawIcons))

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')

await openSession()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
