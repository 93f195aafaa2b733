import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The window opens in a Chromium of its own or in a present-day browser.
  build: {
    target: 'es2024',
    cssTarget: ['chrome130', 'firefox130', 'safari18'],
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    // The package of `npm pack` contains the window, and with it code of others.
    license: { fileName: 'licenses.md' },
  },
})
