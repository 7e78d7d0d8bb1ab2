export const isApple = /^(?:mac|iphone|ipad)/i.test(navigator.platform);
export const paletteKeys = isApple ? ['⌘', 'K'] : ['Ctrl', 'K'];
