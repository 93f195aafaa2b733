import { useEffect } from 'react'
import { useAnchor } from '../address.ts'

/** Focuses the field that an address of the settings names, as soon as it is there: parts of the page load late. */
export function useSettingField(path: string): void {
  const field = useAnchor()
  useEffect(() => {
    if (path !== '/settings' || field === '') return
    const found = () => {
      const element = document.querySelector<HTMLElement>(`#content [data-field="${CSS.escape(field)}"]`)
      element?.scrollIntoView({ block: 'center' })
      element?.focus()
      return element !== null
    }
    if (found()) return
    const watching = new MutationObserver(() => {
      if (found()) watching.disconnect()
    })
    watching.observe(document.body, { childList: true, subtree: true })
    return () => watching.disconnect()
  }, [path, field])
}
