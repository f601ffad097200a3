/* A module in words, as PyTorch prints it. */
#include "nn/module.h"

#include "base/alloc.h"         // defines: mem_free
#include "base/status.h"        // defines: CHECK_NOT_NULL
#include "base/text.h"          // defines: Text
#include "nn/module_internal.h" // defines: struct Module
#include "tensor/format.h"      // defines: tensor_repr

/*   Sequential(            a module without children stands on one line:
 *     (0): Linear(...)       name, bracket, what describe adds, bracket
 *   )                      children are indented by two spaces a level */
static void describe(const Module *module, Text *text, int indent)
{
    text_addf(text, "%s(", module->type->name);
    if (module->type->describe)
        module->type->describe(module, text);
    for (int i = 0; i < module->children.n; i++) {
        text_addf(text, "\n%*s(%s): ", indent + 2, "",
                  module->children.entries[i].name);
        describe(module->children.entries[i].item, text, indent + 2);
    }
    if (module->children.n)
        text_addf(text, "\n%*s", indent, "");
    text_add(text, ")");
}

char *module_repr(const Module *module)
{
    if (!CHECK_NOT_NULL(module))
        return NULL;
    Text text = {0};
    describe(module, &text, 0);
    return text_take(&text);
}

char *module_buffers_repr(const Module *module)
{
    if (!CHECK_NOT_NULL(module))
        return NULL;
    Text text = {0};
    text_add(&text, module->buffers.n ? "OrderedDict([" : "OrderedDict(");
    for (int i = 0; i < module->buffers.n; i++) {
        const Entry *entry = &module->buffers.entries[i];
        char *repr = entry->item ? tensor_repr(entry->item) : NULL;
        text_addf(&text, "%s('%s', %s)", i ? ", " : "", entry->name,
                  entry->item ? repr : "None");
        mem_free(repr);
        if (entry->item && !repr) {
            text_clear(&text);
            return NULL;
        }
    }
    text_add(&text, module->buffers.n ? "])" : ")");
    return text_take(&text);
}
