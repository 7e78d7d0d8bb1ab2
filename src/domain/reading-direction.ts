/** Characters without a shape that reorder the text around them, so that a name can pass for another one. */
export const directionControls = /[\u202a-\u202e\u2066-\u2069]/;

/** The same and the three marks, which names in Arabic and Hebrew may need. Where text is only shown, all are removed. */
export const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
