/* State dicts: saved, loaded, refused. (NumPy's side: numpy_reads_npz.py.) */
#include "nn/layers.h"     // defines: linear_new
#include "nn/state_dict.h" // defines: module_save, module_load
#include "values.h"        // defines: assert_failure, IN_SCOPE
#include <stdlib.h>
#include <unistd.h>

static char path[] = "state_dict_XXXXXX";

static Module *net(void)
{
    return SEQUENTIAL(linear_new(3, 2), batch_norm_1d_new(2));
}

static void what_is_saved_comes_back(void **state)
{
    (void)state;
    manual_seed(0);
    Module *saved = net();
    assert_int_equal(module_save(saved, path), OK);
    Module *loaded = module_cuda(net(), 1);
    Tensor *weight = module_parameter(loaded, "0.weight");
    assert_int_equal(module_load(loaded, path), OK);
    assert_ptr_equal(module_parameter(loaded, "0.weight"), weight);
    assert_int_equal(tensor_device(weight).index, 1);
    assert_true(tensor_equal(tensor_cpu(tensor_detach(weight)),
                             module_parameter(saved, "0.weight")));
}

static void keys_and_shapes_are_compared(void **state)
{
    (void)state;
    assert_int_equal(module_save(linear_new_without_bias(3, 2), path), OK);
    Module *other = linear_new(3, 1);
    Tensor *before = tensor_clone(module_parameter(other, "weight"));
    module_load(other, path);
    assert_failure(ERR_RUNTIME,
                   "Error(s) in loading state_dict for Linear:\n"
                   "\tMissing key(s) in state_dict: \"bias\". \n"
                   "\tsize mismatch for weight: copying a param with shape "
                   "torch.Size([2, 3]) from checkpoint, the shape in current "
                   "model is torch.Size([1, 3]).");
    assert_true(tensor_equal(before, module_parameter(other, "weight")));
    assert_int_equal(module_save(linear_new(3, 1), path), OK);
    module_load(linear_new_without_bias(3, 1), path);
    assert_failure(ERR_RUNTIME,
                   "Error(s) in loading state_dict for Linear:\n"
                   "\tUnexpected key(s) in state_dict: \"bias\". ");
}

/* Each byte flipped, each length cut: refused or read, never a crash, and the
 * module is never half filled. */
static void damage_is_refused(void **state)
{
    (void)state;
    Module *module = linear_new(3, 1);
    assert_int_equal(module_save(module, path), OK);
    unsigned char bytes[4096];
    FILE *file = fopen(path, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(n > 0 && n < sizeof bytes);
    int n_refused = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        unsigned char copy[sizeof bytes];
        memcpy(copy, bytes, n);
        if (i < n)
            copy[i] ^= 0xFF;
        file = fopen(path, "wb");
        fwrite(copy, 1, i < n ? n : i - n, file);
        fclose(file);
        if (module_load(module, path) != OK) {
            n_refused++;
            assert_true(strlen(status_sentence()) > 0);
            status_take();
        }
    }
    assert_true(n_refused > (int)n); // every cut, and most flips
}

static void sentences_name_the_file(void **state)
{
    (void)state;
    module_load(linear_new(1, 1), "no/such/file.npz");
    assert_failure(ERR_FILE,
                   "cannot read 'no/such/file.npz': No such file or directory");
    module_save(linear_new(1, 1), "no/such/file.npz");
    assert_failure(
        ERR_FILE, "cannot write 'no/such/file.npz': No such file or directory");
    FILE *file = fopen(path, "wb");
    fputs("This is not an archive at all.", file);
    fclose(file);
    module_load(linear_new(1, 1), path);
    char sentence[128];
    snprintf(sentence, sizeof sentence,
             "cannot read '%s': it is not a whole .npz archive", path);
    assert_failure(ERR_FILE, sentence);
}

static void bfloat16_has_no_name_in_numpy(void **state)
{
    (void)state;
    module_save(module_cast(linear_new(1, 1), BFLOAT16), path);
    assert_failure(ERR_TYPE,
                   "'weight' is torch.bfloat16, which NumPy does not have: "
                   "cast the module to float32 before saving it");
}

static bool count(void *context, const char *name, Tensor *x)
{
    (void)x;
    assert_string_equal(name, "x");
    ++*(int *)context;
    return true;
}

static void what_is_none_is_left_out(void **state)
{
    (void)state;
    static const ModuleType HOLDER = {.name = "Holder"};
    Module *module = module_new(&HOLDER);
    module_add_buffer(module, "none", NULL);
    module_add_buffer(module, "x",
                      tensor_ones(FLOAT32, shape(1), device_cpu()));
    int n = 0;
    module_each_state(module, count, &n);
    assert_int_equal(n, 1);
}

static void a_flipped_number_is_noticed(void **state)
{
    (void)state;
    Module *module = linear_new_without_bias(3, 1);
    assert_int_equal(module_save(module, path), OK);
    FILE *file = fopen(path, "r+b");
    fseek(file, 30 + 10 + 128, SEEK_SET); // header, "weight.npy", .npy header
    fputc(0x55, file);
    fclose(file);
    module_load(module, path);
    char sentence[160];
    snprintf(sentence, sizeof sentence,
             "cannot read '%s': an entry's checksum is wrong: the file was "
             "damaged after it was saved",
             path);
    assert_failure(ERR_FILE, sentence);
    snprintf(sentence, sizeof sentence, "%s.part", path);
    assert_int_not_equal(access(sentence, F_OK), 0);
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    const struct CMUnitTest tests[] = {
        IN_SCOPE(what_is_saved_comes_back),
        IN_SCOPE(keys_and_shapes_are_compared),
        IN_SCOPE(damage_is_refused),
        IN_SCOPE(sentences_name_the_file),
        IN_SCOPE(bfloat16_has_no_name_in_numpy),
        IN_SCOPE(what_is_none_is_left_out),
        IN_SCOPE(a_flipped_number_is_noticed),
    };
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return n_failed;
}
